package gcn

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExecutableInstructionsNeverPanic runs instructions with random fields on a
// wave without memory, with all registers that fields can name.
func TestExecutableInstructionsNeverPanic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	w := randomWave(r)
	w.V = make([]Lanes, 256+16)
	w.LDS = make([]byte, 64)
	ran := map[string]bool{}
	tries := 3000
	if testing.Short() {
		tries = 300
	}
	for enc := Encoding(0); enc < numEncodings; enc++ {
		e := &encodings[enc]
		for number := range tables[Gfx906][enc] {
			row := tables[Gfx906][enc][number]
			if row == nil || row.Do == nil {
				continue
			}
			for try := 0; try < tries/100; try++ {
				i, ok := randomInst(r, enc, e.shift, uint32(number))
				if !ok || i.Row != row || !Executable(i) {
					continue
				}
				w.SetExec(r.Uint64() | r.Uint64())
				w.Mode, w.Status, w.Fault = defaultMode, Running, nil
				require.NotPanics(t, func() { row.Do(i)(w) }, "%s: %+v", row.Name, i)
				ran[row.Name] = true
			}
		}
	}
	require.Greater(t, len(ran), 600)
}

var encodingBits = map[Encoding]uint32{
	SOP2: 2 << 30, SOPK: 0xb << 28, SOP1: 0x17d << 23, SOPC: 0x17e << 23, SOPP: 0x17f << 23, SMEM: 0x30 << 26, VOP1: 0x3f << 25,
	VOPC: 0x3e << 25, VOP3: 0x34 << 26, VOP3P: 0x1a7 << 23, DS: 0x36 << 26, FLAT: 0x37 << 26, MUBUF: 0x38 << 26,
}

// randomInst makes fields likely that decode: few reserved bits, small register numbers now and then.
func randomInst(r *rand.Rand, enc Encoding, shift uint8, number uint32) (*Inst, bool) {
	lo := r.Uint32() & (1<<16 - 1)
	hi := r.Uint32() & r.Uint32()
	switch enc {
	case VOP1, VOP2, VOPC:
		lo = r.Uint32() & (1<<25 - 1)
	case SOP2:
		lo = r.Uint32() & (1<<23 - 1)
	case SOP1, SOPK:
		lo = r.Uint32() & (1<<23 - 1)
	case VOP3, VOP3P:
		lo, hi = lo&0xff|lo&r.Uint32(), r.Uint32()&(1<<27-1)
		if r.IntN(2) == 0 {
			hi |= 1<<8 | 1<<17 | 1<<26
		}
	case FLAT:
		lo = lo&0xfff | number>>7<<14
		number &= 127
		hi |= 0x7f << 16
		hi &^= 1 << 23
	case SMEM:
		lo |= 1 << 17
	}
	mask := uint32(encodings[enc].numbers-1) << shift
	if enc == FLAT {
		mask = 127 << shift
	}
	lo = lo&^mask | number<<shift&mask | encodingBits[enc]
	var code []byte
	for _, x := range []uint32{lo, hi} {
		code = binary.LittleEndian.AppendUint32(code, x)
	}
	i, err := Decode(code, 0, Gfx906)
	return &i, err == nil
}

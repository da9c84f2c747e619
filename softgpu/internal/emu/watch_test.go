package emu

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
)

// TestPeeledLoadsPoll gives a polling loop's first iteration an address register of its own, as compilers do that write
// a constant again for the loop.
func TestPeeledLoadsPoll(t *testing.T) {
	const (
		v0IsZero, v0IsFour, v0IsV1 = 0x7e000280, 0x7e000284, 0x7e000301
		v1IsZero, v1IsFour         = 0x7e020280, 0x7e020284
		load                       = 0xdc50800c // global_load_dword v2, v0, s[0:1] offset:12
		byV0, byV1, v1ByV1         = 0x02000000, 0x02000001, 0x01000001
		wait, read                 = 0xbf8c0f70, 0x7e080502 // s_waitcnt vmcnt(0); v_readfirstlane_b32 s4, v2
	)
	for name, x := range map[string]struct {
		peeled  []uint32 // the load's place is 4
		between uint32
		polls   bool
	}{
		"the same register":             {[]uint32{v0IsZero, load, byV0}, wait, true},
		"another register of one value": {[]uint32{v1IsZero, load, byV1}, v0IsZero, true},
		"the register, written again":   {[]uint32{v0IsFour, load, byV0}, v0IsFour, true},
		"another constant":              {[]uint32{v1IsFour, load, byV1}, v0IsZero, false},
		"what is not a constant":        {[]uint32{v1IsZero, load, byV1}, v0IsV1, false},
		"a register that it overwrites": {[]uint32{v1IsZero, load, v1ByV1}, v0IsV1, false},
		"what is not known":             {[]uint32{wait, load, byV1}, v0IsZero, false},
	} {
		words := append(x.peeled, wait, read, x.between)
		loop := uint32(len(words) * 4)
		words = append(words, load, byV0, wait, read)
		var code []byte
		for _, word := range words {
			code = binary.LittleEndian.AppendUint32(code, word)
		}
		var before []encoding.Inst
		for at := uint32(0); at < uint32(len(code)); {
			i, err := rows.Decode(code, at, encoding.Gfx906)
			require.NoError(t, err)
			before, at = append(before, i), at+uint32(i.Size)
		}
		want := []uint32{loop}
		if x.polls {
			want = append(want, 4)
		}
		require.Equal(t, want, polled(before, loop), name)
	}
}

package gcn

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAtomics(t *testing.T) {
	for _, c := range []struct {
		name            string
		wide            bool
		old, data, want uint64
	}{
		{"swap", false, 1, 2, 2}, {"add", false, 0xffffffff, 2, 1}, {"sub", false, 1, 2, 0xffffffff},
		{"smin", false, 0xffffffff, 2, 0xffffffff}, {"umin", false, 0xffffffff, 2, 2}, {"smax", false, 0xffffffff, 2, 2},
		{"umax", false, 0xffffffff, 2, 0xffffffff}, {"and", false, 6, 3, 2}, {"or", false, 6, 3, 7}, {"xor", false, 6, 3, 5},
		{"inc", false, 5, 5, 0}, {"inc", false, 4, 5, 5}, {"dec", false, 0, 5, 5}, {"dec", false, 9, 5, 5}, {"dec", false, 3, 5, 2},
		{"add_x2", true, 0xffffffff, 1, 1 << 32}, {"smin_x2", true, full, 1, full}, {"umax_x2", true, full, 1, full},
		{"swap_x2", true, 5, 1 << 40, 1 << 40}, {"xor_x2", true, 1 << 40, 1 << 41, 3 << 40},
	} {
		for _, segment := range []string{"global", "flat"} {
			mem := &hostSlices{}
			b, base := mem.add(64*8, true)
			w := newWave()
			w.Mem = mem
			w.SetExec(1 << 5)
			pointers(w, 4, base, 8)
			w.V[8].fill(uint32(c.data))
			w.V[9].fill(uint32(c.data >> 32))
			binary.LittleEndian.PutUint64(b[5*8:], c.old)
			seg, saddr := uint32(segGlobal), uint32(noSaddr)
			if segment == "flat" {
				seg, saddr = segFlat, 0
			}
			bind(t, flatWords(t, segment+"_atomic_"+c.name, seg, 20, 4, 8, saddr, 0, true))(w)
			require.Equal(t, Running, w.Status, "%+v: %+v", c, w.Fault)
			require.Equal(t, c.want, binary.LittleEndian.Uint64(b[5*8:]), "%s %+v", segment, c)
			require.Equal(t, uint32(c.old), w.V[20][5], "%s %+v", segment, c)
			require.Zero(t, w.V[20][4])
			if c.wide {
				require.Equal(t, uint32(c.old>>32), w.V[21][5])
			}
		}
	}
}

func TestCompareAndSwap(t *testing.T) {
	mem := &hostSlices{}
	b, base := mem.add(64*4, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	for l := 0; l < 64; l++ {
		binary.LittleEndian.PutUint32(b[4*l:], uint32(l%2))
	}
	w.V[8].fill(99)
	w.V[9].fill(1)
	bind(t, flatWords(t, "global_atomic_cmpswap", segGlobal, 20, 4, 8, noSaddr, 0, true))(w)
	for l := 0; l < 64; l++ {
		want := uint32(0)
		if l%2 == 1 {
			want = 99
		}
		require.Equal(t, want, binary.LittleEndian.Uint32(b[4*l:]))
		require.Equal(t, uint32(l%2), w.V[20][l])
	}
	w.SetExec(1)
	pointers(w, 4, base+1, 4)
	bind(t, flatWords(t, "global_atomic_cmpswap", segGlobal, 20, 4, 8, noSaddr, 0, false))(w)
	require.Equal(t, Faulted, w.Status)
	require.Contains(t, w.Fault.Reason, "aligned")
}

func TestAtomicsOfManyWavesAddUp(t *testing.T) {
	mem := &hostSlices{}
	b, base := mem.add(8, true)
	step := bind(t, flatWords(t, "global_atomic_add", segGlobal, 0, 4, 8, noSaddr, 0, false))
	var all sync.WaitGroup
	for n := 0; n < 4; n++ {
		all.Add(1)
		go func() {
			defer all.Done()
			w := newWave()
			w.Mem = &hostSlices{parts: mem.parts}
			pointers(w, 4, base, 0)
			w.V[8].fill(1)
			for k := 0; k < 50; k++ {
				step(w)
			}
		}()
	}
	all.Wait()
	require.Equal(t, uint32(4*64*50), binary.LittleEndian.Uint32(b))
}

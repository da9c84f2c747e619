package gcn

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAtomicsNeedAlignedAddresses(t *testing.T) {
	mem := &hostSlices{}
	_, base := mem.add(64*4, true)
	w := newWave()
	w.Mem = mem
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

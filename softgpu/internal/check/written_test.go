package check

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// bytesWritten is Written, obviously.
type bytesWritten []bool

func (b bytesWritten) set(off, n uint64, to bool) {
	for i := range n {
		b[off+i] = to
	}
}

func (b bytesWritten) any(off, n uint64) bool {
	for i := range n {
		if b[off+i] {
			return true
		}
	}
	return false
}

func TestWrittenRemembersEveryByte(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	const size = 1000
	w, other := NewWritten(size), NewWritten(size)
	plain, otherPlain := make(bytesWritten, size), make(bytesWritten, size)
	for step := range 20000 {
		off := r.Uint64N(size)
		n := r.Uint64N(min(size-off, 100) + 1)
		switch r.IntN(6) {
		case 0:
			w.Mark(off, n)
			plain.set(off, n, true)
		case 1:
			w.Forget(off, n)
			plain.set(off, n, false)
		case 2:
			other.Mark(off, n)
			otherPlain.set(off, n, true)
		case 3:
			other.Forget(off, n)
			otherPlain.set(off, n, false)
		case 4:
			from := r.Uint64N(size - n + 1)
			if r.IntN(2) == 0 {
				from, off, n = from&^31, off&^31, n&^31
			}
			w.Copy(off, other, from, n)
			for i := range n {
				plain[off+i] = otherPlain[from+i]
			}
		default:
			all := true
			for i := range n {
				all = all && plain[off+i]
			}
			require.Equal(t, all, w.All(off, n))
			n = min(n, 32)
			require.Equal(t, plain.any(off, n), w.Any(off, n), "step %d: %d bytes at %d", step, n, off)
		}
	}
	for i := range uint64(size) {
		require.Equal(t, plain[i], w.Any(i, 1), "byte %d", i)
	}
}

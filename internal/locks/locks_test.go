//go:build invariants

package locks

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLocksAreTakenInTheirOrder(t *testing.T) {
	var graph Mutex[Graph]
	var other Mutex[Graph]
	var bins Mutex[Bins]
	var scopes RWMutex[Scopes]
	scopes.RLock()
	require.PanicsWithValue(t, "locks: locks.Graph is locked by a thread that holds locks.Scopes", other.Lock)
	scopes.RUnlock()
	graph.Lock()
	require.PanicsWithValue(t, "locks: locks.Graph is locked by a thread that holds locks.Graph", other.Lock)
	bins.Lock()
	bins.AssertHeld()
	require.Panics(t, scopes.Lock)
	require.True(t, other.TryLock(), "who does not wait takes any")
	require.PanicsWithValue(t, "locks: a driver call is made by a thread that holds locks.Bins", CallsDriver)
	bins.Unlock()
	require.PanicsWithValue(t, "locks: locks.Bins is not held", bins.AssertHeld)
	CallsDriver()
	other.Unlock()
	graph.Unlock()
	require.Zero(t, heldBy(0))
	var unknown Mutex[struct{}]
	require.PanicsWithValue(t, "locks: struct {} has no place in the order", unknown.Lock)
}

// Locks of other threads do not count.
func TestThreadsHoldLocksOfTheirOwn(t *testing.T) {
	var wg sync.WaitGroup
	var rounds atomic.Int64
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var bins Mutex[Bins]
			var graph Mutex[Graph]
			for range 10_000 {
				graph.Lock()
				bins.Lock()
				rounds.Add(1)
				bins.Unlock()
				graph.Unlock()
			}
		}()
	}
	wg.Wait()
	require.EqualValues(t, 80_000, rounds.Load())
	for i := range holders {
		require.Zero(t, holders[i].goroutine.Load())
	}
}

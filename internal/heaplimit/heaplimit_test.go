package heaplimit

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const mib = 1 << 20

func TestTheLimitIsTwiceWhatIsLiveAndAtLeastTheFirstOne(t *testing.T) {
	const first = 32 * mib
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	debug.SetMemoryLimit(first)
	Follow()
	becomes := func(is func(limit int64) bool) {
		t.Helper()
		require.Eventually(t, func() bool {
			runtime.GC()
			return is(debug.SetMemoryLimit(-1))
		}, time.Minute, time.Millisecond)
	}
	// A collection while the blocks are allocated finds fewer of them, and Follow leaves a limit that is an eighth off.
	for range 2 { // it follows each collection
		live := make([][]byte, 64)
		for i := range live {
			live[i] = make([]byte, mib)
		}
		becomes(func(limit int64) bool { return limit >= 2*56*mib && limit < 3*64*mib })
		runtime.KeepAlive(live)
		live = nil
		becomes(func(limit int64) bool { return limit <= first+first/8 })
	}
}

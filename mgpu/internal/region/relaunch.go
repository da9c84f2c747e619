package region

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// relaunch is C's permission to launch an unchanged graph again without entering Go.
type relaunch struct {
	by     Relauncher
	stream driver.Stream // zero: C has no permission
}

// lock locks the graph. Afterwards C does not launch it, and no launch by C is in progress.
func (k *graph) lock() {
	k.mu.Lock()
	if l := &k.relaunch; l.stream != 0 {
		l.by.EndRelaunch(k.key, l.stream)
		l.stream = 0
	}
}

// allowRelaunch lets C launch the locked graph on the stream of its latest launch, unless a launch needs more than the
// driver's call: see [hostCopies.noteLaunch].
func (k *graph) allowRelaunch(c Calls, s driver.Stream) {
	x, ok := k.graph.Exec()
	if !ok || s == 0 || c.Relauncher() == nil || c.EntryOf(s) == nil || k.hostCopies.hasCopies() {
		return
	}
	k.relaunch = relaunch{c.Relauncher(), s}
	k.relaunch.by.Relaunch(k.key, s, x, k.ran.launchesAddress())
}

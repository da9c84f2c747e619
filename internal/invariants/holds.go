package invariants

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// hold says that somebody holds an object, and who took it.
type hold struct {
	what      string
	object    any
	goroutine uintptr
	stack     [16]uintptr
	depth     int
}

var holds struct {
	sync.Mutex
	all []hold
}

// Took records that the caller holds an object until Gave, which another goroutine may call. what
// says how. An object may be held several times.
func Took(what string, object any) {
	if !Enabled {
		return
	}
	holds.Lock()
	defer holds.Unlock()
	holds.all = append(holds.all, hold{what: what, object: object, goroutine: goroutine()})
	h := &holds.all[len(holds.all)-1]
	h.depth = runtime.Callers(2, h.stack[:])
}

// Gave ends a Took, the caller's own if there is one, and panics if there is none.
func Gave(what string, object any) {
	if !Enabled {
		return
	}
	holds.Lock()
	defer holds.Unlock()
	found, me := -1, goroutine()
	for i, h := range holds.all {
		if h.what == what && h.object == object && (found < 0 || h.goroutine == me) {
			found = i
		}
	}
	if found < 0 {
		panic(fmt.Sprintf("%s of %T %p: given back, and not held", what, object, object))
	}
	holds.all = slices.Delete(holds.all, found, found+1)
}

// Left says of each hold that is left who took it.
func Left() (lines []string) {
	holds.Lock()
	defer holds.Unlock()
	for _, h := range holds.all {
		lines = append(lines, fmt.Sprintf("%s of %T %p, taken in%s", h.what, h.object, h.object, where(h.stack[:h.depth])))
	}
	return lines
}

func where(stack []uintptr) string {
	var s strings.Builder
	for frames := runtime.CallersFrames(stack); ; {
		f, more := frames.Next()
		fmt.Fprintf(&s, "\n\t%s\n\t\t%s:%d", f.Function, f.File, f.Line)
		if !more {
			return s.String()
		}
	}
}

// Run runs a package's tests, and fails if a hold is left. Call it in TestMain.
func Run(m interface{ Run() int }) (status int) {
	return report(os.Stderr, m.Run())
}

func report(to io.Writer, status int) int {
	for _, line := range Left() {
		fmt.Fprintln(to, "left: "+line)
		status = max(status, 1)
	}
	return status
}

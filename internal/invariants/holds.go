//go:build invariants

package invariants

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
)

// Enabled reports whether the checks are part of the build.
const Enabled = true

// hold is the hold of an object, and who took it.
type hold struct {
	goroutine atomic.Uintptr // zero: unused
	kind      atomic.Uint32  // zero: the hold is being recorded
	object    atomic.Uintptr
	stack     [12]atomic.Uintptr
}

var (
	holds     [1 << 14]hold
	holdsUsed atomic.Int32 // number of holds that were used so far
)

// Took records that the caller holds an object until Gave, which another goroutine may call. An object may be held
// several times.
func Took(kind Kind, object any) {
	Quiet()
	defer Loud()
	var stack [len(holds[0].stack)]uintptr
	depth := runtime.Callers(2, stack[:])
	me := Goroutine()
	for i := range holds {
		h := &holds[i]
		if h.goroutine.Load() != 0 || !h.goroutine.CompareAndSwap(0, me) {
			continue
		}
		h.object.Store(reflect.ValueOf(object).Pointer())
		for j := range h.stack {
			h.stack[j].Store(0)
			if j < depth {
				h.stack[j].Store(stack[j])
			}
		}
		h.kind.Store(uint32(kind))
		for n := holdsUsed.Load(); int(n) <= i && !holdsUsed.CompareAndSwap(n, int32(i+1)); {
			n = holdsUsed.Load()
		}
		return
	}
	panic("more is held than this package can note")
}

// Gave ends a Took: the caller's own if there is one. It panics if there is none.
func Gave(kind Kind, object any) {
	Quiet()
	defer Loud()
	address, me := reflect.ValueOf(object).Pointer(), Goroutine()
	var found *hold
	for i := range holdsUsed.Load() {
		h := &holds[i]
		by := h.goroutine.Load()
		if by == 0 || h.kind.Load() != uint32(kind) || h.object.Load() != address || found != nil && by != me {
			continue
		}
		found = h
	}
	if found == nil {
		panic(fmt.Sprintf("%s of %T %p: given back, and not held", kind, object, object))
	}
	found.kind.Store(0)
	found.goroutine.Store(0)
}

// Left returns a line for each hold that has not ended: who took it.
func Left() (lines []string) {
	for i := range holds {
		h := &holds[i]
		if h.goroutine.Load() == 0 {
			continue
		}
		var stack []uintptr
		for j := range h.stack {
			stack = append(stack, h.stack[j].Load())
		}
		lines = append(lines, fmt.Sprintf("%s of %#x, taken in%s", Kind(h.kind.Load()), h.object.Load(), where(stack)))
	}
	return lines
}

func where(stack []uintptr) string {
	var s strings.Builder
	for frames := runtime.CallersFrames(stack); ; {
		f, more := frames.Next()
		if f.Function != "" {
			fmt.Fprintf(&s, "\n\t%s\n\t\t%s:%d", f.Function, f.File, f.Line)
		}
		if !more {
			return s.String()
		}
	}
}

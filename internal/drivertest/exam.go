package drivertest

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// rounds bounds how long a spinning kernel waits.
const rounds = 1 << 21

// ok stops the test if a call failed.
func (x *exam) ok(err error, call string) {
	if err != nil {
		x.fatalf("%s: %v", call, err)
	}
}

// fails records a failure unless err is a *driver.Error of one of the codes.
func (x *exam) fails(err error, call string, codes ...driver.Code) {
	var e *driver.Error
	switch {
	case err == nil:
		x.errorf("%s succeeded, want %v", call, codes)
	case !errors.As(err, &e):
		x.errorf("%s: %T %v, want a *driver.Error", call, err, err)
	case !slices.Contains(codes, e.Code):
		x.errorf("%s: %v (%v), want %v", call, err, e.Code, codes)
	case e.Call == "" || e.Name == "":
		x.errorf("%s: the error names no call or no error: %#v", call, e)
	}
}

// equal records a failure at the first place where two lists of words differ.
func (x *exam) equal(got, want []uint32, what string) {
	if len(got) != len(want) {
		x.fatalf("%s: %d words, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			x.errorf("%s[%d] is %d (%#x), want %d (%#x)", what, i, got[i], got[i], want[i], want[i])
			return
		}
	}
}

func (x *exam) stream() driver.Stream {
	s, err := x.d.StreamCreate()
	x.ok(err, "StreamCreate")
	if s == 0 {
		x.fatalf("StreamCreate gave the null stream")
	}
	x.after(func() {
		_ = x.d.StreamSynchronize(s)
		_ = x.d.StreamDestroy(s)
	})
	return s
}

func (x *exam) event() driver.Event {
	e, err := x.d.EventCreate()
	x.ok(err, "EventCreate")
	if e == 0 {
		x.fatalf("EventCreate gave a null handle")
	}
	x.after(func() { _ = x.d.EventDestroy(e) })
	return e
}

func (x *exam) sync(s driver.Stream) { x.ok(x.d.StreamSynchronize(s), "StreamSynchronize") }

// words allocates device memory for n words, all with one value.
func (x *exam) words(n int, value uint32) driver.Ptr {
	p, err := x.d.MemAlloc(uint64(4 * n))
	x.ok(err, "MemAlloc")
	if p == 0 {
		x.fatalf("MemAlloc(%d) gave a null pointer", 4*n)
	}
	x.after(func() { _ = x.d.MemFree(p) })
	s := x.stream()
	x.ok(x.d.Memset32(p, value, uint64(n), s), "Memset32")
	x.sync(s)
	return p
}

// upload copies words to new device memory.
func (x *exam) upload(v []uint32) driver.Ptr {
	p := x.words(len(v), 0)
	s := x.stream()
	b := make([]byte, 4*len(v))
	for i, w := range v {
		binary.NativeEndian.PutUint32(b[4*i:], w)
	}
	x.ok(copyTo(x.d, p, b, s), "Memcpy to the device")
	x.sync(s)
	return p
}

// download reads n words of device memory, on a stream of its own.
func (x *exam) download(p driver.Ptr, n int) []uint32 { return x.downloadOn(p, n, x.stream()) }

func (x *exam) downloadOn(p driver.Ptr, n int, s driver.Stream) []uint32 {
	b := make([]byte, 4*n)
	x.ok(copyFrom(x.d, b, p, s), "Memcpy from the device")
	x.sync(s)
	v := make([]uint32, n)
	for i := range v {
		v[i] = binary.NativeEndian.Uint32(b[4*i:])
	}
	return v
}

func (x *exam) load(image []byte) driver.Module {
	m, err := x.d.ModuleLoad(image)
	x.ok(err, "ModuleLoad")
	if m == 0 {
		x.fatalf("ModuleLoad gave a null handle")
	}
	x.after(func() { _ = x.d.ModuleUnload(m) })
	return m
}

func (x *exam) function(m driver.Module, name string) driver.Function {
	f, err := x.d.ModuleGetFunction(m, name)
	x.ok(err, "ModuleGetFunction("+name+")")
	if f == 0 {
		x.fatalf("ModuleGetFunction(%s) gave a null handle", name)
	}
	return f
}

// kernel loads the suite's kernels and returns one of them.
func (x *exam) kernel(name string) driver.Function {
	return x.function(x.load(x.images.Kernels()), name)
}

func along(n uint32) driver.Dim3 { return driver.Dim3{X: n, Y: 1, Z: 1} }

// launch launches f over one dimension.
func (x *exam) launch(f driver.Function, groups, items uint32, s driver.Stream, args ...any) {
	x.ok(launch(x.d, f, driver.Launch{Grid: along(groups), Block: along(items), Stream: s}, args...), "LaunchKernel")
}

// hold keeps a stream busy until the returned function is called, which reports whether the kernel was still waiting.
// hold returns once the stream's kernel runs.
func (x *exam) hold(s driver.Stream) (release func()) {
	flag, reached := x.words(1, 0), x.words(1, 0)
	x.launch(x.kernel("spin_until"), 1, 1, s, flag, reached, uint32(rounds))
	side := x.stream()
	for range rounds / 16 {
		if x.downloadOn(reached, 1, side)[0] != 0 {
			break
		}
	}
	if got := x.downloadOn(reached, 1, side)[0]; got != 1 {
		x.errorf("the kernel that spins has state %d, want 1: running", got)
	}
	held := true
	release = func() {
		if !held {
			return
		}
		held = false
		x.ok(x.d.Memset32(flag, 1, 1, side), "Memset32 of the flag")
		x.sync(side)
		x.ok(x.d.StreamSynchronize(s), "StreamSynchronize of the held stream")
		if got := x.downloadOn(reached, 1, side)[0]; got != 2 {
			x.errorf("the kernel that spins has state %d, want 2: the flag was seen", got)
		}
	}
	x.after(func() {
		if held {
			_ = x.d.Memset32(flag, 1, 1, side)
			_ = x.d.StreamSynchronize(side)
			_ = x.d.StreamSynchronize(s)
		}
	})
	return release
}

// idle reports whether a stream is idle.
func (x *exam) idle(s driver.Stream) bool {
	idle, err := x.d.StreamIdle(s)
	x.ok(err, "StreamIdle")
	return idle
}

// done reports whether an event is done.
func (x *exam) done(e driver.Event) bool {
	done, err := x.d.EventDone(e)
	x.ok(err, "EventDone")
	return done
}

func (x *exam) want(is bool, what string) {
	if !is {
		x.errorf("not so: %s", what)
	}
}

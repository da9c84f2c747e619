package drivertest

import (
	"encoding/binary"
	"math"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var memoryTests = []conformance{
	{"memory/blocks do not overlap", func(x *exam) {
		var blocks [64]driver.Ptr
		for i := range blocks {
			blocks[i] = x.words(1+i*7, uint32(i))
		}
		for i, p := range blocks {
			x.equal(x.download(p, 1+i*7), repeat(uint32(i), 1+i*7), "block")
			x.want(p%256 == 0, "blocks are aligned to 256 bytes")
		}
	}},
	{"memory/too much of it is an error", func(x *exam) {
		for _, bytes := range []uint64{1 << 60, math.MaxUint64, math.MaxUint64 - 4095} {
			p, err := x.d.MemAlloc(bytes)
			x.fails(err, "MemAlloc", driver.OutOfMemory, driver.InvalidValue)
			x.want(p == 0, "null on failure")
		}
		x.words(64, 1)
	}},
	{"memory/copies go both ways and across", func(x *exam) {
		s := x.stream()
		for _, n := range []int{1, 3, 4, 255, 4096, 100_003, 3 << 20} {
			src := make([]byte, n)
			for i := range src {
				src[i] = byte(i*131 + n)
			}
			a, b := x.words(n/4+1, 0), x.words(n/4+1, 0)
			x.ok(copyTo(x.d, a, src, s), "Memcpy to the device")
			x.ok(x.d.Memcpy(b, a, uint64(n), s), "Memcpy on the device")
			got := make([]byte, n)
			x.ok(copyFrom(x.d, got, b, s), "Memcpy from the device")
			x.sync(s)
			if string(got) != string(src) {
				x.errorf("%d bytes came back changed", n)
			}
		}
	}},
	{"memory/pageable host memory is free again when the copy returns", func(x *exam) {
		s := x.stream()
		p := x.words(4, 0)
		release := x.hold(s)
		src := make([]byte, 16)
		binary.NativeEndian.PutUint32(src, 77)
		done := make(chan error, 1)
		go func() { done <- copyTo(x.d, p, src, s) }() // the copy may wait for the stream
		release()
		x.ok(<-done, "Memcpy")
		clear(src)
		x.equal(x.downloadOn(p, 1, s), []uint32{77}, "out")
	}},
	{"memory/copying nothing succeeds", func(x *exam) {
		p := x.words(1, 3)
		x.ok(x.d.Memcpy(p, p, 0, x.stream()), "Memcpy of 0 bytes")
		x.ok(x.d.Memset32(p, 9, 0, x.stream()), "Memset32 of 0 elements")
		x.ok(x.d.Memset16(p, 9, 0, x.stream()), "Memset16 of 0 elements")
		x.equal(x.download(p, 1), []uint32{3}, "out")
	}},
	{"memory/fills count elements", func(x *exam) {
		s := x.stream()
		for _, n := range []int{1, 2, 3, 63, 1000} {
			p := x.words(n+1, 0xffffffff)
			x.ok(x.d.Memset32(p, 0x12345678, uint64(n), s), "Memset32")
			x.equal(x.downloadOn(p, n+1, s), append(repeat(0x12345678, n), 0xffffffff), "Memset32")
			x.ok(x.d.Memset16(p, 0xabcd, uint64(2*n-1), s), "Memset16")
			x.equal(x.downloadOn(p, n+1, s), append(repeat(0xabcdabcd, n-1), 0x1234abcd, 0xffffffff), "Memset16")
		}
	}},
	{"memory/managed memory is the host's too", func(x *exam) {
		p, err := x.d.MemAllocManaged(4096)
		x.ok(err, "MemAllocManaged")
		defer func() { x.ok(x.d.MemFree(p), "MemFree") }()
		view := hostView(p, 4096)
		for i := range view {
			view[i] = byte(i)
		}
		s := x.stream()
		x.launch(x.kernel("step"), 16, 64, s, p, uint32(1024))
		x.sync(s)
		for i := range 1024 {
			b := 4 * i
			was := binary.NativeEndian.Uint32([]byte{byte(b), byte(b + 1), byte(b + 2), byte(b + 3)})
			if got := binary.NativeEndian.Uint32(view[b:]); got != 3*was+1 {
				x.fatalf("word %d is %#x, want %#x", i, got, 3*was+1)
			}
		}
	}},
	{"memory/registered host memory is the device's too", func(x *exam) {
		host, err := syscall.Mmap(-1, 0, 8192, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		x.ok(err, "mmap")
		defer func() { _ = syscall.Munmap(host) }()
		binary.NativeEndian.PutUint32(host, 5)
		x.ok(x.d.HostRegister(hostPtr(host), 8192), "HostRegister")
		if again := x.d.HostRegister(hostPtr(host), 8192); again != nil { // HIP takes it for the first one
			x.fails(again, "HostRegister again", driver.InvalidValue, driver.Unknown)
		}
		p, err := x.d.HostDevicePointer(hostPtr(host))
		x.ok(err, "HostDevicePointer")
		s := x.stream()
		x.launch(x.kernel("step"), 1, 64, s, p, uint32(1))
		x.sync(s)
		x.want(binary.NativeEndian.Uint32(host) == 16, "the kernel's store is seen")
		x.ok(x.d.HostUnregister(hostPtr(host)), "HostUnregister")
		x.fails(x.d.HostUnregister(hostPtr(host)), "HostUnregister again", driver.InvalidValue, driver.Unknown)
	}},
	{"memory/what is free is less than all, and gets less", func(x *exam) {
		informer, ok := x.d.(driver.MemInformer)
		if !ok {
			return
		}
		before, total, err := informer.MemInfo()
		x.ok(err, "MemInfo")
		x.want(before != 0 && before <= total, "some is free, and not more than there is")
		p, err := x.d.MemAlloc(64 << 20)
		x.ok(err, "MemAlloc")
		after, same, err := informer.MemInfo()
		x.ok(err, "MemInfo")
		x.want(after < before && same == total, "an allocation takes from what is free")
		x.ok(x.d.MemFree(p), "MemFree")
	}},
	{"memory/a wait for the device is for all its streams", func(x *exam) {
		waiter, ok := x.d.(driver.DeviceSynchronizer)
		if !ok {
			return
		}
		var e [3]driver.Event
		fill := x.kernel("fill")
		for i := range e {
			s, p := x.stream(), x.words(64, 0)
			e[i] = x.event()
			for range 100 {
				x.launch(fill, 1, 64, s, p, uint32(4), uint32(64))
			}
			x.ok(x.d.EventRecord(e[i], s), "EventRecord")
		}
		x.ok(waiter.DeviceSynchronize(), "DeviceSynchronize")
		for i := range e {
			x.want(x.done(e[i]), "what was submitted before is done")
		}
	}},
	{"memory/free waits for what was submitted", func(x *exam) {
		s, e, p := x.stream(), x.event(), x.words(64, 0)
		scratch, err := x.d.MemAlloc(64)
		x.ok(err, "MemAlloc")
		fill := x.kernel("fill")
		for range 200 {
			x.launch(fill, 1, 64, s, p, uint32(4), uint32(64))
		}
		x.ok(x.d.EventRecord(e, s), "EventRecord")
		x.ok(x.d.MemFree(scratch), "MemFree")
		x.want(x.done(e), "what was submitted before is done when MemFree returns")
	}},
	{"memory/freeing twice or inside is an error", func(x *exam) {
		p, err := x.d.MemAlloc(4096)
		x.ok(err, "MemAlloc")
		x.fails(x.d.MemFree(p+256), "MemFree inside a block", driver.InvalidValue, driver.InvalidHandle)
		x.ok(x.d.MemFree(p), "MemFree")
		x.fails(x.d.MemFree(p), "MemFree again", driver.InvalidValue, driver.InvalidHandle)
	}},
	{"memory/copies beyond a block are errors", func(x *exam) {
		p, s := x.words(64, 1), x.stream()
		big := make([]byte, 1<<20)
		x.fails(copyTo(x.d, p, big, s), "Memcpy beyond the block", driver.InvalidValue)
		x.fails(x.d.Memset32(p, 1, 1<<18, s), "Memset32 beyond the block", driver.InvalidValue)
		x.fails(x.d.Memset32(p, 1, 1<<62, s), "Memset32 whose size wraps around", driver.InvalidValue)
		x.fails(x.d.Memset16(p, 1, 1<<63, s), "Memset16 whose size wraps around", driver.InvalidValue)
		x.equal(x.download(p, 64), repeat(1, 64), "block")
	}},
}

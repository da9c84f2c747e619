package mgpu

import (
	"bytes"
	"fmt"
	"slices"
	"syscall"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// contents is what a block of device memory held.
type contents struct {
	at    uintptr
	bytes []byte // a mapping of its own
}

// quiesce waits for all that was submitted to the library's streams.
func (b *burst) quiesce() {
	f := b.at(streamSynchronize)
	f.k.pool.Streams(func(e *streampool.Entry) bool {
		if e.Pending() && e.State() != streampool.Gone {
			covered := e.Submissions()
			if err := f.meter.StreamSynchronize(driver.Stream(e.Handle())); err == nil {
				e.Synchronized(covered)
			}
		}
		return true
	})
	_ = f.meter.StreamSynchronize(0) // failures are told to the program's own waits
}

// read reads all blocks that the program has, in place of what old holds.
func (b *burst) read(old []contents) []contents {
	unmap(old)
	b.quiesce()
	f := b.at(memcpy)
	var all []contents
	f.k.memory.cache.Each(func(s alloccache.Seen) {
		if s.State != alloccache.Live || s.Kind == alloccache.Pinned || s.Bytes == 0 {
			return
		}
		m, err := syscall.Mmap(-1, 0, int(s.Bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		if err != nil {
			return
		}
		all = append(all, contents{s.Ptr, m})
	})
	on, ok := b.ownStream(f)
	for _, c := range all {
		if ok {
			f.failed(f.meter.Memcpy(driver.Ptr(addressOfBytes(c.bytes)), driver.Ptr(c.at), uint64(len(c.bytes)), on))
		}
	}
	if ok {
		f.failed(f.meter.StreamSynchronize(on))
	}
	return all
}

// write puts contents back.
func (b *burst) write(all []contents) {
	f := b.at(memcpy)
	on, ok := b.ownStream(f)
	for _, c := range all {
		if ok {
			f.failed(f.meter.Memcpy(driver.Ptr(c.at), driver.Ptr(addressOfBytes(c.bytes)), uint64(len(c.bytes)), on))
		}
	}
	if ok {
		f.failed(f.meter.StreamSynchronize(on))
	}
}

func unmap(all []contents) {
	for _, c := range all {
		_ = syscall.Munmap(c.bytes)
	}
}

// compare executes the burst, whose calls have been made when they came, once more as
// a graph, from the memory that there was before it, and compares every block that
// the program has. Afterwards memory is as the calls left it.
func (b *burst) compare(f *frame) {
	after := b.read(nil)
	b.write(b.before)
	on, ok := b.ownStream(f)
	var s sequence
	if ok {
		if _, done := b.byGraph(f, &s, on); done {
			b.graphs++
		}
		f.failed(f.meter.StreamSynchronize(on))
	}
	again := b.read(nil)
	for _, was := range b.before {
		b.compareBlock(was.at, find(after, was.at), find(again, was.at))
	}
	b.write(after)
	kept := b.rec
	b.drop(f, &s)
	unmap(after)
	unmap(again)
	kept.Reset()
	b.reset(kept)
}

func find(all []contents, at uintptr) []byte {
	if i := slices.IndexFunc(all, func(c contents) bool { return c.at == at }); i >= 0 {
		return all[i].bytes
	}
	return nil
}

// compareBlock tells where a block differs.
func (b *burst) compareBlock(at uintptr, eager, graph []byte) {
	if bytes.Equal(eager, graph) || len(eager) != len(graph) {
		return
	}
	first, count := -1, 0
	for i := range eager {
		if eager[i] != graph[i] {
			if count++; first < 0 {
				first = i
			}
		}
	}
	b.differences++
	names := ""
	seen := map[string]bool{}
	b.rec.Functions(func(fn driver.Function) {
		if name := b.r.kernelName(uintptr(fn)); !seen[name] && len(seen) < 8 {
			if seen[name] = true; names != "" {
				names += ", "
			}
			names += name
		}
	})
	b.r.say(fmt.Sprintf("mgpu: a burst of %d calls (kernels %s) computes something else when its waits are put off: %d of %d bytes at %#x differ, the first at byte %d; "+
		"the host changes or reads shared memory between them, and MGPU_GRAPH=burst is not for this program",
		b.rec.Len(), names, count, len(eager), at, first))
}

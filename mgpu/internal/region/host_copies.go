package region

import (
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// hostCopies is page-locked memory with the host data that a graph's copies read. The data is copied when each copy is
// recorded. A repeated recording places each copy at the same address.
type hostCopies struct {
	chunks []chunk      // freed with the graph
	event  driver.Event // recorded after the latest launch; zero: not recorded yet
	inUse  bool         // a launch may still read the memory
}

type chunk struct{ memory []byte }

const (
	chunkBytes   = 1 << 20
	maxHostBytes = 64 << 20 // limit per recording
)

// copyFromHost copies host memory of the program into page-locked memory and returns the
// address there.
func (rec *recorder) copyFromHost(c Calls, src uintptr, bytes uint64) (at uintptr, why string) {
	s := &rec.graph.hostCopies
	if bytes > chunkBytes || rec.hostBytes+int(bytes) > maxHostBytes {
		return 0, "a copy of more pageable host memory than 1 MiB, or 64 MiB in all, can't be recorded"
	}
	rec.graph.lock()
	defer rec.graph.mu.Unlock()
	if rec.hostBytes == 0 {
		if err := s.waitForLaunch(c); err != nil {
			return 0, err.Error()
		}
		rec.graph.hostCopiesReplaced = rec.graph.readsHostCopies
	}
	n := (int(bytes) + 63) &^ 63
	if rec.hostBytes%chunkBytes+n > chunkBytes {
		rec.hostBytes = (rec.hostBytes/chunkBytes + 1) * chunkBytes
	}
	i, offset := rec.hostBytes/chunkBytes, rec.hostBytes%chunkBytes
	rec.hostBytes += n
	if i == len(s.chunks) {
		m, err := syscall.Mmap(-1, 0, chunkBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
		if err != nil {
			return 0, "no memory for a copy of the program's"
		}
		if err := c.HostRegister(driver.Ptr(addressOfBytes(m)), chunkBytes); err != nil {
			_ = syscall.Munmap(m)
			return 0, err.Error()
		}
		s.chunks = append(s.chunks, chunk{m})
	}
	to := s.chunks[i].memory[offset : offset+int(bytes)]
	if err := hostmem.Read(to, src); err != nil {
		return 0, err.Error()
	}
	return addressOfBytes(to), ""
}

// waitForLaunch waits until the latest launch is done. Launches of one graph follow each other, so no earlier launch is
// in progress then.
func (s *hostCopies) waitForLaunch(c Calls) error {
	if !s.inUse {
		return nil
	}
	s.inUse = false
	return c.EventSynchronize(s.event)
}

// launchWaiter returns a function that calls waitForLaunch and reports its failure.
func (s *hostCopies) launchWaiter(c Calls) func() error {
	return func() error {
		c.Failed(s.waitForLaunch(c))
		return nil
	}
}

// hasCopies reports whether any memory is allocated.
func (s *hostCopies) hasCopies() bool { return len(s.chunks) > 0 }

// noteLaunch records an event after a launch. With always set it does so even if the launch reads no host copies, for
// callers that must know when the launch is done.
func (s *hostCopies) noteLaunch(c Calls, on driver.Stream, always bool) {
	if !s.hasCopies() && !always {
		return
	}
	if s.event == 0 {
		device, err := c.CurrentDevice()
		if err != nil {
			return
		}
		if s.event, _, err = c.Pool().GetEvent(c, device); c.Failed(err) {
			return
		}
	}
	if !c.Failed(c.RecordOwn(s.event, on)) {
		s.inUse = true
	}
}

// release waits for the latest launch and frees all memory.
func (s *hostCopies) release(c Calls) {
	_ = s.waitForLaunch(c)
	for _, chunk := range s.chunks {
		if !c.Failed(c.HostUnregister(driver.Ptr(addressOfBytes(chunk.memory)))) {
			_ = syscall.Munmap(chunk.memory)
		}
	}
	if s.event != 0 {
		_, err := c.Pool().PutEvent(c, s.event)
		c.Failed(err)
	}
	*s = hostCopies{}
}

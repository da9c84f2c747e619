package hsa

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/kernelstats"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// statistics count the launches of kernels, HIP's own copies and fills among them.
type statistics struct {
	mu     sync.Mutex
	counts kernelstats.Counts
}

// unnamed stands for kernels of code objects that AMD's runtime does not list: its own copies and fills, mostly.
const unnamed = "(kernels without a name)"

// ran counts a launch of a kernel of o that took so many nanoseconds of the host's time.
func (s *statistics) ran(o *loadedObject, d *emu.Dispatch, ns uint64) {
	if s == nil {
		return
	}
	name := unnamed
	if o != nil {
		name = d.Kernel.Name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Add(name, d.Grid, d.Block, 1)
	k := s.counts.Of(name)
	k.Timed++
	k.DeviceNS += ns
}

// Statistics describe a process's kernels and memory. Their names in JSON are those of the runtime library's
// statistics.
type Statistics struct {
	Process int                  `json:"process"`
	Rank    int                  `json:"rank"`
	Driver  string               `json:"driver"`
	Device  string               `json:"device"`
	Kernels []kernelstats.Kernel `json:"kernels"`
	Memory  []MemoryStatistics   `json:"memory"` // by device
	Profile []json.RawMessage    `json:"profile"`

	profile string
}

// MemoryStatistics are the bytes of a device that AMD's runtime has allocated.
type MemoryStatistics struct {
	Device int    `json:"device"`
	Live   uint64 `json:"in_use"`
	Peak   uint64 `json:"peak"`
}

// Statistics returns the statistics so far; nil unless Options.Stats asks for them.
func (sys *System) Statistics() *Statistics {
	if sys.stats == nil {
		return nil
	}
	sys.stats.mu.Lock()
	defer sys.stats.mu.Unlock()
	s := &Statistics{Driver: "rocm", Device: sys.chip.id.String(), Kernels: sys.stats.counts.Rows(), Memory: []MemoryStatistics{}, Profile: []json.RawMessage{}}
	if s.Kernels == nil {
		s.Kernels = []kernelstats.Kernel{}
	}
	for i := range sys.gpus {
		s.Memory = append(s.Memory, MemoryStatistics{i, sys.used[firstGPU+i].Load(), sys.peaks[firstGPU+i].Load()})
	}
	text, kernels := sys.Profile()
	s.profile, s.Profile = text, append(s.Profile, kernels...)
	return s
}

// Table returns the statistics as text. of names the process if it is one of several.
func (s *Statistics) Table(of string) []byte {
	var b bytes.Buffer
	if of != "" {
		of = " of " + of
	}
	fmt.Fprintf(&b, "mgpu statistics%s: HIP on the software GPU, device %s\n", of, s.Device)
	kernelstats.Write(&b, s.Kernels, false)
	for _, m := range s.Memory {
		if m.Peak != 0 {
			fmt.Fprintf(&b, "memory of device %d: %s in use, %d at most\n", m.Device, count.Of(m.Live, "byte"), m.Peak)
		}
	}
	if s.profile != "" {
		fmt.Fprintln(&b, s.profile)
	}
	return b.Bytes()
}

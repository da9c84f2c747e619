package mgpu

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// blockRecord is a block in a snapshot file.
type blockRecord struct {
	Address string  `json:"address"`
	Bytes   uint64  `json:"bytes"`
	Asked   uint64  `json:"asked"`
	Kind    string  `json:"kind"`
	Device  int     `json:"device"`
	State   string  `json:"state"`
	Scoped  bool    `json:"scoped"`
	Call    string  `json:"call"`
	From    string  `json:"from,omitempty"`
	Seconds float64 `json:"seconds"`
}

// deviceUse is a device in a snapshot file.
type deviceUse struct {
	Device   int    `json:"device"`
	Live     uint64 `json:"live"`
	Peak     uint64 `json:"peak"`
	Reserved uint64 `json:"reserved"`
	Cached   uint64 `json:"cached"`
}

// WriteMemory writes all blocks of memory as JSON, the largest first.
func (r *Runtime) WriteMemory(to io.Writer) error {
	out := struct {
		Devices []deviceUse   `json:"devices"`
		Blocks  []blockRecord `json:"blocks"`
	}{[]deviceUse{}, []blockRecord{}}
	k := r.core.Load()
	if k != nil && k.memory != nil {
		for d := range k.devices {
			s := r.MemoryStats(d)
			out.Devices = append(out.Devices, deviceUse{d, s.Live, s.Peak, s.Reserved, s.Cached})
		}
		k.memory.cache.Each(func(s alloccache.Seen) {
			b := blockRecord{Address: fmt.Sprintf("%#x", s.Ptr), Bytes: s.Bytes, Asked: s.Asked, Kind: s.Kind.String(), Device: s.Device,
				State: s.State.String(), Scoped: s.Scoped, Call: callNames[s.Call], Seconds: float64(s.Nanoseconds) / 1e9}
			if s.Site != 0 && r.cfg.Process != nil {
				b.From = r.cfg.Process.Symbol(s.Site)
			}
			out.Blocks = append(out.Blocks, b)
		})
	}
	sort.SliceStable(out.Blocks, func(i, j int) bool { return out.Blocks[i].Bytes > out.Blocks[j].Bytes })
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// MemorySnapshot calls write with the file name at path and with WriteMemory. It reports whether that worked.
func (r *Runtime) MemorySnapshot(path uintptr, write func(path string, content func(io.Writer) error) error) bool {
	f, ok := r.enter(memorySnapshot)
	if !ok {
		return false
	}
	defer f.leave()
	name, ok := cString(path)
	err := error(fmt.Errorf("%#x is not the address of a name", path))
	if ok {
		err = write(name, r.WriteMemory)
	}
	if err != nil {
		f.failed(&driver.Error{Call: callNames[f.call], Code: driver.InvalidValue, Detail: err.Error()})
		return false
	}
	return true
}

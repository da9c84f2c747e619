package mgpu

import (
	"encoding/json"
	"io"
	"slices"
)

// statsJSON is a snapshot as JSON. Names never change; new ones may be added.
type statsJSON struct {
	Process   int             `json:"process"`
	Rank      int             `json:"rank"`
	Driver    string          `json:"driver"`
	Device    string          `json:"device"`
	Cache     bool            `json:"cache"`
	Functions []FunctionStats `json:"functions"`
	Total     FunctionStats   `json:"total"`
	Kernels   []KernelStats   `json:"kernels"`
	Regions   []RegionStats   `json:"regions"`
	Memory    []memoryJSON    `json:"memory"`
	Refused   []Refusal       `json:"refused"`
	OneNode   uint64          `json:"one_node_graph_launches"`
	Leaks     []Leak          `json:"not_given_back"`

	Profile []json.RawMessage `json:"profile"` // what the driver tells of kernels
}

// memoryJSON is a device's row.
type memoryJSON struct {
	Device      int    `json:"device"`
	Live        uint64 `json:"in_use"`
	Peak        uint64 `json:"peak"`
	Reserved    uint64 `json:"from_driver"`
	Cached      uint64 `json:"cached"`
	Hits        uint64 `json:"hits"`
	Waited      uint64 `json:"hits_after_waiting"`
	Misses      uint64 `json:"misses"`
	FreesWaited uint64 `json:"frees_that_waited"`
}

// WriteJSON writes the statistics as one line of JSON, in one Write. Times are in nanoseconds, sizes in bytes. process
// and rank identify the process.
func (s *Snapshot) WriteJSON(to io.Writer, process, rank int) error {
	called := slices.DeleteFunc(slices.Clone(s.Functions), func(f FunctionStats) bool { return f.Calls == 0 })
	j := statsJSON{
		Process: process, Rank: rank, Driver: s.Driver, Device: s.Device, Cache: s.Cache,
		Functions: list(called), Total: s.Total(), Kernels: list(s.Kernels), Regions: list(s.Regions),
		Memory: []memoryJSON{}, Refused: list(s.Refusals), OneNode: s.Launches.ByGraph, Leaks: list(s.Leaks),
	}
	for d, m := range s.Memory {
		j.Memory = append(j.Memory, memoryJSON{
			Device: d, Live: m.Live, Peak: m.Peak, Reserved: m.Reserved, Cached: m.Cached,
			Hits: m.Reused, Waited: m.Covered, Misses: m.Allocated, FreesWaited: m.Waits.All(),
		})
	}
	if j.Profile = []json.RawMessage{}; s.profile != nil {
		_, kernels := s.profile.Profile()
		j.Profile = list(kernels)
	}
	text, err := json.Marshal(&j)
	if err != nil {
		return err
	}
	_, err = to.Write(append(text, '\n'))
	return err
}

// list returns a copy of all that is never nil, since JSON would write null.
func list[T any](all []T) []T { return append([]T{}, all...) }

package mgpu

import (
	"fmt"
	"io"

	"github.com/mgpu-runtime/mgpu/launchgraph"
)

// LaunchStats counts launches by one-node graphs.
type LaunchStats struct {
	ByGraph  uint64 // launches by one-node graphs
	Off      string // why there are no such launches, if a setting excludes them; empty: measurements decide
	Verdicts []launchgraph.Verdict
}

func (r *Runtime) launchStats() (s LaunchStats) {
	if r.cfg.FastPath != nil {
		s.ByGraph = r.cfg.FastPath.GraphLaunches()
	}
	if k := r.core.Load(); k != nil && (r.cfg.Graphs != GraphDefault || r.cfg.GraphsOff != "") {
		s.Off = r.whyNoOneNode(k)
	}
	s.Verdicts = r.gate.Verdicts()
	return s
}

func (s *LaunchStats) write(w io.Writer) {
	for _, v := range s.Verdicts {
		fmt.Fprintln(w, v)
	}
	if s.ByGraph > 0 {
		fmt.Fprintf(w, "launches by one-node graphs: %d\n", s.ByGraph)
	}
	if s.Off != "" {
		fmt.Fprintf(w, "launches by one-node graphs: none: %s\n", s.Off)
	}
}

package ranks

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Rank is a process's rank among those that a process manager (mpirun, srun, torchrun) started together.
type Rank struct {
	Local     int    // on this machine, from 0
	Variable  string // the variable that has it; empty: none is set, and the rank is 0
	Others    string // "LOCAL_RANK=1": a variable that contradicts; empty: none
	LocalSize int    // number of ranks on this machine; zero: unknown
	World     int    // rank among all ranks; -1: unknown
	Size      int    // number of all ranks; zero: unknown
}

// The variables of Open MPI, MVAPICH, Intel MPI, Slurm, MPICH, and torchrun and JAX, in their order of precedence,
// which is that of Kokkos with LOCAL_RANK last.
var (
	localRanks = []string{"OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "PMI_LOCAL_RANK", "LOCAL_RANK"}
	localSizes = []string{"OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE", "PMI_LOCAL_SIZE", "LOCAL_WORLD_SIZE"}
	worldRanks = []string{"OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK"}
	worldSizes = []string{"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", "WORLD_SIZE"}
)

// Find reads the process managers' variables. A local rank that is not a number is an error; other unreadable values
// count as unknown.
func Find(getenv func(string) string) (r Rank, err error) {
	for _, name := range localRanks {
		text := getenv(name)
		if text == "" {
			continue
		}
		n, ok := number(text)
		switch {
		case !ok && r.Variable == "":
			return Rank{}, fmt.Errorf("%s=%s is not a rank", name, text)
		case r.Variable == "":
			r.Local, r.Variable = n, name
		case (!ok || n != r.Local) && r.Others == "":
			r.Others = name + "=" + text
		}
	}
	r.LocalSize, _ = first(getenv, localSizes)
	r.Size, _ = first(getenv, worldSizes)
	ok := false
	if r.World, ok = first(getenv, worldRanks); !ok {
		r.World = -1
	}
	return r, nil
}

// Label identifies a rank, as "rank 3", or as "process 4711" if the number is unknown; empty if there is only one rank.
func (r Rank) Label(pid int) string {
	switch {
	case r.Size < 2:
		return ""
	case r.World < 0:
		return fmt.Sprintf("process %d", pid)
	}
	return fmt.Sprintf("rank %d", r.World)
}

// Sharing returns how many ranks of this machine share a device if each takes its device as MGPU_DEVICE=rank does. If
// the process manager has hidden devices, each rank sees only its own.
func (r Rank) Sharing(getenv func(string) string, devices int) int {
	if getenv("MGPU_DEVICE") != "rank" {
		for _, name := range slices.Concat(visibleLists, []string{"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}) {
			if getenv(name) != "" {
				return 1
			}
		}
	}
	return max(1, (r.LocalSize+devices-1)/devices)
}

// FileName replaces, in a file's name, %p by the process's ID, %r by the rank (0 if there is none), and %% by %.
func (r Rank) FileName(pattern string, pid int) string {
	return strings.NewReplacer("%%", "%", "%p", strconv.Itoa(pid), "%r", strconv.Itoa(max(0, r.World))).Replace(pattern)
}

// first returns the number in the first of the variables that has one.
func first(getenv func(string) string, names []string) (n int, ok bool) {
	for _, name := range names {
		if n, ok = number(getenv(name)); ok {
			return n, true
		}
	}
	return 0, false
}

func number(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= math.MaxInt32
}

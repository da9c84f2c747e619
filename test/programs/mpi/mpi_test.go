package mpi

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// printed is what all programs print on rank 0: of heat.mlir the number of cells above 5
// and a hash, of others a hash.
var printed = map[string]string{
	"heat":  "95\n-3897227827227521320\n",
	"ring":  "9048134261403025408\n",
	"shard": "-6706488317399047387\n",
}

// requireRight wants a job to have ended well, with what one rank prints. The runner
// adds main's result for each rank, 0, at any place.
func requireRight(t *testing.T, program, way string, ranks int, r chost.Result) {
	t.Helper()
	require.Equal(t, "exit 0", r.End, "%s%s", r.Stdout, r.Stderr)
	require.Empty(t, r.Stderr)
	rest := r.Stdout
	if way == "runner" {
		var results int
		rest = ""
		for _, line := range strings.SplitAfter(Unmixed(r.Stdout), "\n") {
			if line == "0\n" {
				results++
			} else {
				rest += line
			}
		}
		require.Equal(t, ranks, results, "%s", r.Stdout)
	}
	require.Equal(t, printed[program], rest)
}

func TestMixedResultsAreTakenApart(t *testing.T) {
	for _, mixed := range []string{"95\n-20\n0\n0\n", "95\n-20\n00\n\n", "95\n-20\n0\n\n0"} {
		require.Equal(t, "95\n-20\n0\n0\n", Unmixed(mixed))
	}
	require.Equal(t, "0\n95\n-20\n0\n", Unmixed("0\n95\n-20\n0\n"))
	require.Equal(t, "95\n-20\n", Unmixed("95\n-20\n"))
}

// TestRanksComputeWhatOneDoes runs the programs with devices for every second rank, so
// that of four ranks two share one. Without MGPU_TEST_LONG it takes a part.
func TestRanksComputeWhatOneDoes(t *testing.T) {
	counts := []int{2}
	if chost.Long() {
		counts = []int{1, 2, 4}
	}
	for _, m := range Both {
		t.Run(m.Name, func(t *testing.T) {
			m.Need(t)
			for _, ranks := range counts {
				for _, p := range Programs(t, ranks) {
					if !chost.Long() && (m.Name == "MPICH") != (p.Name == "heat") {
						continue // heat.mlir over Open MPI is what docs/several-gpus.md runs
					}
					t.Run(fmt.Sprintf("%s-%d", p.Name, ranks), func(t *testing.T) {
						for way, command := range m.Commands(t, p, chost.Long() || m.Name == "MPICH") {
							requireDevices(t, m, p, way, ranks, command, nil, func(rank int) (int, string) {
								return rank % 2, fmt.Sprintf("%s=%d", m.LocalRank, rank)
							})
							if way == "linked" && ranks == 2 && p.Name != "shard" {
								requireOrder(t, m, p, command)
							}
						}
					})
				}
			}
		})
	}
}

// requireDevices runs a job of ranks with two devices, with further variables. It wants
// the results of one rank, and each rank to have used one device: which, and by which
// variables, as chosen says.
func requireDevices(t *testing.T, m MPI, p Program, way string, ranks int, command, variables []string, chosen func(rank int) (device int, how string)) {
	t.Helper()
	stats := filepath.Join(t.TempDir(), "stats")
	env := append([]string{"MGPU_SOFT_DEVICES=2", "MGPU_DEVICE=rank", "MGPU_STATS=" + stats + ".%r"}, variables...)
	requireRight(t, p.Name, way, ranks, m.Run(t, ranks, env, command...))
	for rank := range ranks {
		table := read(t, fmt.Sprintf("%s.%d", stats, rank))
		device, how := chosen(rank)
		assert.Contains(t, table, fmt.Sprintf("threads begin with device %d of 2 by MGPU_DEVICE=rank: %s\n", device, how), way)
		assert.NotContains(t, table, fmt.Sprintf("memory of device %d:", 1-device), way)
		if p.Name != "shard" { // whose memory is the host's
			assert.Contains(t, table, fmt.Sprintf("memory of device %d:", device), way)
		}
	}
}

// requireOrder runs a job of two ranks whose environment has other process managers' variables
// too: Slurm's as a batch script has them around mpirun, and one that is not a number.
func requireOrder(t *testing.T, m MPI, p Program, command []string) {
	t.Helper()
	others := []string{"SLURM_LOCALID=0", "SLURM_PROCID=0", "SLURM_NTASKS=1", "SLURM_NTASKS_PER_NODE=1", "LOCAL_RANK=none"}
	requireDevices(t, m, p, "linked", 2, command, others, func(rank int) (int, string) {
		return rank, fmt.Sprintf("%s=%d, not %s", m.LocalRank, rank, []string{"LOCAL_RANK=none", "SLURM_LOCALID=0"}[rank])
	})
	// This one counts before MPICH's variable and after Open MPI's.
	const between = "MV2_COMM_WORLD_LOCAL_RANK=1"
	requireDevices(t, m, p, "linked", 2, command, []string{between}, func(rank int) (int, string) {
		own := fmt.Sprintf("%s=%d", m.LocalRank, rank)
		switch {
		case m.Name == "OpenMPI":
			return rank, own + []string{", not " + between, ""}[rank]
		default:
			return 1, between + []string{", not " + own, ""}[rank]
		}
	})
}

// TestAJobEndsWhenARankDies runs endless.mlir, where a rank waits for the device
// when the other dies, and lets ranks die of a device that is not there.
func TestAJobEndsWhenARankDies(t *testing.T) {
	for _, m := range Both {
		t.Run(m.Name, func(t *testing.T) {
			m.Need(t)
			program := m.Link(t, m.Lower(t, "async", read(t, "endless.mlir")))
			for args, how := range []string{"killed", "MPI_Abort", "exit"} {
				if !chost.Long() && how != "MPI_Abort" {
					continue
				}
				t.Run(how, func(t *testing.T) {
					r := m.Run(t, 2, nil, append([]string{program}, make([]string, args)...)...)
					assert.NotEqual(t, "hangs", r.End)
					assert.NotEqual(t, "exit 0", r.End)
					for _, line := range append(r.Lines(), strings.Split(r.Stdout, "\n")...) {
						assert.False(t, strings.HasPrefix(line, "mgpu") || strings.Contains(line, "goroutine") || strings.Contains(line, "failed with"), line)
					}
				})
			}
			r := m.Run(t, 2, []string{"MGPU_DEVICE=2", "MGPU_SOFT_DEVICES=2", "MGPU_ON_ERROR=abort"}, program)
			assert.NotEqual(t, "exit 0", r.End, "a rank that aborts ends the job")
			assert.Regexp(t, `(?m)^\[rank [01]\] '\w+' failed with 'MGPU_DEVICE=2: there are 2 devices, 0 to 1'$`, r.Stderr)
		})
	}
}

// TestCallsMayComeBeforeMPIInit makes heat.mlir's ranks use the device first, and one
// that no process manager has started.
func TestCallsMayComeBeforeMPIInit(t *testing.T) {
	if !chost.Long() {
		t.Skip("takes minutes: make test-long runs it")
	}
	const first = "  %e0 = mpi.init"
	early := strings.Replace(read(t, "heat.mlir"), first, `
		%early = gpu.alloc() : memref<24xf32>
		gpu.memset %early, %zero : memref<24xf32>, f32
		gpu.dealloc %early : memref<24xf32>
	`+first, 1)
	for _, m := range Both {
		t.Run(m.Name, func(t *testing.T) {
			m.Need(t)
			program := m.Link(t, m.Lower(t, "async", early))
			for _, ranks := range []int{0, 1, 2} {
				requireRight(t, "heat", "linked", ranks, m.Run(t, ranks, nil, program))
			}
		})
	}
}

// TestSixtyFourRanksOnAMachine shares its cores and two devices among them.
func TestSixtyFourRanksOnAMachine(t *testing.T) {
	if !chost.Long() {
		t.Skip("takes minutes: make test-long runs it")
	}
	for _, m := range Both {
		t.Run(m.Name, func(t *testing.T) {
			m.Need(t)
			program := m.Link(t, m.Lower(t, "async", read(t, "ring.mlir")))
			requireRight(t, "ring", "linked", 64, m.Run(t, 64, []string{"MGPU_SOFT_DEVICES=2", "MGPU_DEVICE=rank"}, program))
		})
	}
}

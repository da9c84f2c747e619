package trace

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// statistics is the contents of FILE.json for a process.
type statistics struct {
	Process, Rank  int
	Driver, Device string
	Functions      []struct {
		Name  string
		Calls int
	}
	Total   struct{ Calls int }
	Kernels []struct {
		Name      string
		Launches  int
		InRegions int `json:"in_regions"`
		ByGraph   int `json:"by_graph"`
		Timed     int
		DeviceNS  int `json:"device_ns"`
		Shapes    []struct {
			Grid, Block [3]int
			Launches    int
		}
	}
	Regions []struct {
		Key, Nodes int
		ByGraph    int `json:"by_graph"`
		CallByCall int `json:"call_by_call"`
		GraphsMade int `json:"graphs_made"`
	}
}

func readStatistics(t *testing.T, file string) (s statistics) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &s), "%s", text)
	return s
}

func (s *statistics) calls(name string) int {
	for _, f := range s.Functions {
		if f.Name == name {
			return f.Calls
		}
	}
	return 0
}

func TestStatisticsHaveARowForEachKernel(t *testing.T) {
	for how, c := range map[string]struct {
		program string
		env     []string
	}{
		"soft":               {"lowered", []string{soft}},
		"soft without cache": {"lowered", []string{soft, "MGPU_CACHE=off"}},
		"launched by Go":     {"lowered", []string{"MGPU_DRIVER=null", "MGPU_TEST_FASTPATH=off"}},
		"launched by C":      {"plain", []string{"MGPU_DRIVER=null"}},
		"C without cache":    {"plain", []string{"MGPU_DRIVER=null", "MGPU_CACHE=off"}},
	} {
		t.Run(how, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "s.json")
			l, _ := traced(t, append(c.env, "MGPU_STATS="+file), c.program, "20")
			s := readStatistics(t, file)
			require.Equal(t, 20, s.calls("mgpuLaunchKernel"))
			require.Len(t, s.Kernels, 1)
			k := s.Kernels[0]
			require.Equal(t, "saxpy", k.Name)
			require.Equal(t, l.count("mgpuLaunchKernel"), k.Launches)
			require.Len(t, k.Shapes, 1)
			require.Equal(t, 20, k.Shapes[0].Launches)
			require.Equal(t, 64, k.Shapes[0].Block[0])
			if c.env[0] == soft {
				require.Equal(t, 20, k.Timed)
				require.Positive(t, k.DeviceNS)
			} else {
				require.Zero(t, k.Timed)
			}
			left, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.part"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestStatisticsHaveARowForEachRegion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.json")
	l, _ := traced(t, []string{soft, "MGPU_STATS=" + file}, "region", "5")
	s := readStatistics(t, file)
	require.Len(t, s.Regions, 1)
	require.Equal(t, 7, s.Regions[0].Key)
	require.Equal(t, 5, s.Regions[0].ByGraph)
	require.Equal(t, 1, s.Regions[0].GraphsMade)
	require.Len(t, s.Kernels, 1)
	require.Equal(t, l.count("saxpy"), s.Kernels[0].Launches)
	require.Equal(t, s.Kernels[0].Launches, s.Kernels[0].InRegions)
	r := chost.Run(t, []string{soft, "MGPU_STATS=1"}, host(t), "region", "5")
	require.Regexp(t, `(?m)^ +saxpy +20 +0 +20 +\d+,1,1 x 64,1,1 +[\d.]+ ms +[\d.]+ +100\.0 %$`, r.Stderr)
	require.Regexp(t, `(?m)^ +0x7 +\d+ +5 +0 +1$`, r.Stderr)
}

// Ctrl-C with its default action ends a process without output: the file has the statistics so far.
func TestStatisticsSurviveSignals(t *testing.T) {
	for _, by := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		file := filepath.Join(t.TempDir(), "s.json")
		cmd := exec.Command(host(t), "endless", "50")
		cmd.Env = append(os.Environ(), soft, "MGPU_STATS="+file)
		said, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = bufio.NewReader(said).ReadString('\n')
		require.NoError(t, err)
		var parts []string
		for range 600 {
			if parts, err = filepath.Glob(file + ".*.part"); len(parts) > 0 {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		require.NoError(t, err)
		require.NoError(t, cmd.Process.Signal(by))
		_ = cmd.Wait()
		require.NoFileExists(t, file)
		require.Len(t, parts, 1)
		s := readStatistics(t, parts[0])
		require.GreaterOrEqual(t, s.calls("mgpuLaunchKernel"), 50)
		require.Equal(t, cmd.Process.Pid, s.Process)
	}
}

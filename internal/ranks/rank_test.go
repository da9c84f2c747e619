package ranks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// environment makes a getenv of "A=1 B=2".
func environment(text string) func(string) string {
	set := map[string]string{}
	for _, v := range strings.Fields(text) {
		name, value, _ := strings.Cut(v, "=")
		set[name] = value
	}
	return func(name string) string { return set[name] }
}

func TestEachProcessManagersLocalRankIsFound(t *testing.T) {
	for _, name := range []string{"OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", "PMI_LOCAL_RANK", "LOCAL_RANK"} {
		device, how, err := Device(environment("MGPU_DEVICE=rank "+name+"=5"), 4)
		require.NoError(t, err)
		assert.Equal(t, 1, device)
		assert.Equal(t, "device 1 of 4 by MGPU_DEVICE=rank: "+name+"=5", how)
	}
}

func TestDevicesAreChosenByEnvironment(t *testing.T) {
	for _, c := range []struct {
		env    string
		device int
		how    string
		fault  string
	}{
		{"", 0, "", ""},
		{"OMPI_COMM_WORLD_LOCAL_RANK=1", 0, "", ""},
		{"MGPU_DEVICE=1", 1, "device 1 of 2 by MGPU_DEVICE=1", ""},
		{"MGPU_DEVICE=2", 0, "", "MGPU_DEVICE=2: there are 2 devices, 0 to 1"},
		{"MGPU_DEVICE=-1", 0, "", "MGPU_DEVICE=-1: expected the number of a device or rank"},
		{"MGPU_DEVICE=first", 0, "", "MGPU_DEVICE=first: expected the number of a device or rank"},
		{"MGPU_DEVICE=rank", 0, "device 0 of 2 by MGPU_DEVICE=rank: no rank variable is set, rank 0", ""},
		{"MGPU_DEVICE=rank SLURM_LOCALID=3 LOCAL_RANK=3", 1, "device 1 of 2 by MGPU_DEVICE=rank: SLURM_LOCALID=3", ""},
		{"MGPU_DEVICE=rank SLURM_LOCALID=0 OMPI_COMM_WORLD_LOCAL_RANK=3", 1, "device 1 of 2 by MGPU_DEVICE=rank: OMPI_COMM_WORLD_LOCAL_RANK=3, not SLURM_LOCALID=0", ""},
		{"MGPU_DEVICE=rank SLURM_LOCALID=x", 0, "", "MGPU_DEVICE=rank: SLURM_LOCALID=x is not a rank"},
		{"MGPU_DEVICE=rank SLURM_LOCALID=-2", 0, "", "MGPU_DEVICE=rank: SLURM_LOCALID=-2 is not a rank"},
	} {
		device, how, err := Device(environment(c.env), 2)
		if c.fault != "" {
			require.EqualError(t, err, c.fault)
			continue
		}
		require.NoError(t, err, c.env)
		assert.Equal(t, c.device, device, c.env)
		assert.Equal(t, c.how, how, c.env)
	}
}

func TestRanksAndSizesAreFound(t *testing.T) {
	r, err := Find(environment("OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_RANK=7 OMPI_COMM_WORLD_SIZE=8"))
	require.NoError(t, err)
	assert.Equal(t, Rank{Local: 1, Variable: "OMPI_COMM_WORLD_LOCAL_RANK", LocalSize: 2, World: 7, Size: 8}, r)
	r, err = Find(environment("SLURM_NTASKS_PER_NODE=x"))
	require.NoError(t, err)
	assert.Equal(t, Rank{World: -1}, r)
}

func TestVisibleDevicesAreCountedAsROCmDoes(t *testing.T) {
	for env, want := range map[string]int{
		"": 4, "ROCR_VISIBLE_DEVICES=0": 1, "ROCR_VISIBLE_DEVICES=3,1": 2, "HIP_VISIBLE_DEVICES=2,9,1": 1, "HIP_VISIBLE_DEVICES=0,1,-1,2": 2,
		"HIP_VISIBLE_DEVICES=1,1,2": 1, "ROCR_VISIBLE_DEVICES=3,2 HIP_VISIBLE_DEVICES=1": 1, "HIP_VISIBLE_DEVICES=0,x": 1,
	} {
		n, err := Visible(environment(env), 4)
		require.NoError(t, err, env)
		assert.Equal(t, want, n, env)
	}
	_, err := Visible(environment("HIP_VISIBLE_DEVICES=-1"), 4)
	require.EqualError(t, err, "HIP_VISIBLE_DEVICES=-1: it hides all devices: there are 4 devices, 0 to 3")
	_, err = Visible(environment("ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=1"), 4)
	require.EqualError(t, err, "HIP_VISIBLE_DEVICES=1: it hides all devices: there is 1 device, number 0")
}

func TestRanksAreToldApart(t *testing.T) {
	assert.Equal(t, "rank 3", Rank{World: 3, Size: 4}.Label(7))
	assert.Equal(t, "process 7", Rank{World: -1, Size: 4}.Label(7))
	assert.Empty(t, Rank{World: 0, Size: 1}.Label(7))
	assert.Equal(t, "at.7.3.%p", Rank{World: 3}.FileName("at.%p.%r.%%p", 7))
	assert.Equal(t, "0", Rank{World: -1}.FileName("%r", 7))
}

func TestRanksShareDevices(t *testing.T) {
	r := Rank{LocalSize: 4}
	assert.Equal(t, 1, Rank{}.Sharing(environment(""), 2))
	assert.Equal(t, 2, r.Sharing(environment(""), 2))
	assert.Equal(t, 2, r.Sharing(environment(""), 3))
	assert.Equal(t, 1, r.Sharing(environment(""), 8))
	assert.Equal(t, 1, r.Sharing(environment("CUDA_VISIBLE_DEVICES=1"), 1))
	assert.Equal(t, 4, r.Sharing(environment("CUDA_VISIBLE_DEVICES=1 MGPU_DEVICE=rank"), 1))
}

package abi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

const devices3 = "MGPU_SOFT_DEVICES=3"

func TestThreadsBeginWithTheDeviceThatTheEnvironmentNames(t *testing.T) {
	host := linked(t, "chosen.c")
	for _, c := range []struct {
		env   []string
		first string
		count string
	}{
		{nil, "0", "3"},
		{[]string{"MGPU_DEVICE=2"}, "2", "3"},
		{[]string{"MGPU_DEVICE=rank", "OMPI_COMM_WORLD_LOCAL_RANK=4"}, "1", "3"},
		{[]string{"MGPU_DEVICE=1", "ROCR_VISIBLE_DEVICES=2,0"}, "1", "2"},
	} {
		r := chost.Run(t, append(c.env, soft, devices3), host)
		require.Equal(t, "exit 0", r.End)
		require.Equal(t, "first: device "+c.first+"\nanother: device "+c.first+"\nchooser: device 0\nfirst again: device "+c.first+"\n"+c.count+" devices\n", r.Stdout)
		last := "2"
		if c.count == "2" {
			last = "1"
		}
		require.Equal(t, []string{"'mgpuSetDefaultDevice' failed with 'hipErrorInvalidDevice': device 64: there are " + c.count + " devices, 0 to " + last}, r.Lines())
	}
}

func TestARankWithoutAVariableIsToldOnce(t *testing.T) {
	r := chost.Run(t, []string{soft, devices3, "MGPU_DEVICE=rank"}, linked(t, "chosen.c"))
	require.Equal(t, "exit 0", r.End)
	require.Contains(t, r.Stdout, "first: device 0\n")
	require.Len(t, r.Lines(), 2) // the other line is about a device for which the host asks
	require.Equal(t, "mgpu: MGPU_DEVICE=rank, but no variable says which rank this is: threads begin with device 0", r.Lines()[0])
}

func TestTheChoiceOfADeviceIsInTheStatistics(t *testing.T) {
	r := chost.Run(t, []string{soft, devices3, "MGPU_STATS=1", "MGPU_DEVICE=rank", "SLURM_LOCALID=5"}, linked(t, "chosen.c"))
	require.Contains(t, r.Stderr, "threads begin with device 2 of 3 by MGPU_DEVICE=rank: SLURM_LOCALID=5\n")
}

func TestADeviceThatIsNotThereCannotBeChosen(t *testing.T) {
	host := linked(t, "chosen.c")
	for env, why := range map[string]string{
		"MGPU_DEVICE=3":           "MGPU_DEVICE=3: there are 3 devices, 0 to 2",
		"MGPU_DEVICE=two":         "MGPU_DEVICE=two: expected the number of a device or rank",
		"HIP_VISIBLE_DEVICES=3,0": "HIP_VISIBLE_DEVICES=3,0: it hides all devices: there are 3 devices, 0 to 2",
	} {
		r := chost.Run(t, []string{soft, devices3, env}, host)
		require.Equal(t, "exit 0", r.End)
		require.Equal(t, "0 devices\n", r.Stdout)
		require.Equal(t, "'mgpuMemAlloc' failed with '"+why+"'", r.Lines()[0])
		require.Len(t, r.Lines(), 2, "one cause, one line, and a count: %s", r.Stderr)
		require.Regexp(t, `^mgpu: further calls that failed because no driver could be opened: (mgpu\w+ \d+, )*mgpuxGetDeviceCount [1-9]`, r.Lines()[1])
	}
}

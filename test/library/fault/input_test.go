package fault

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// loading runs the host that loads an image.
func loading(t *testing.T, image string, env ...string) chost.Result {
	t.Helper()
	host := chost.Build(t, "input", []string{"hosts/input.c"}, chost.Linked(chost.Library(t))...)
	r := chost.Run(t, env, host, image)
	require.Equal(t, "exit 0", r.End, r.Stderr)
	return r
}

// inFile writes an image to a file.
func inFile(t *testing.T, image []byte) string {
	path := filepath.Join(t.TempDir(), "image")
	require.NoError(t, os.WriteFile(path, image, 0o600))
	return path
}

func TestAnImageForAnotherDevice(t *testing.T) {
	wrong := inFile(t, drivertest.BuildAMD(t, "gfx906", "-mcode-object-version=4").WrongArch())
	overHIP := []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + fakehip.Library(t), "FAKEHIP_IGNORE=leak"}
	for _, c := range []struct {
		name, image string
		env         []string
		line        string
	}{
		{"soft", wrong, []string{"MGPU_DRIVER=soft"},
			"'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': the code object is for gfx1030, the device is gfx906: lower with rocdl-attach-target{chip=gfx906}, or set MGPU_SOFT_CHIP=gfx1030"},
		{"hip, its own kind", inFile(t, fakehip.Images(t).WrongArch()), overHIP, "'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu'"},
		{"hip", wrong, append(overHIP, "FAKEHIP_FAIL=hipModuleLoadData:1:hipErrorNoBinaryForGpu"),
			"'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': the code object is for gfx1030, the device is fakehip device 0: lower with rocdl-attach-target{chip=...} for this device"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loading(t, c.image, c.env...)
			require.Equal(t, "module 0\n", r.Stdout)
			require.Equal(t, []string{c.line}, r.Lines())
		})
	}
}

// A stub with the driver's own list of functions, without those that are missing, replaces an old driver.
func TestADriverTooOldForAFunction(t *testing.T) {
	for _, c := range []struct{ driver, lacks, code, variable string }{
		{"hip", "hipMemsetD16Async", "hipErrorNotSupported", "MGPU_HIP_LIBRARY"},
		{"hip", "hipMallocManaged", "hipErrorNotSupported", "MGPU_HIP_LIBRARY"},
		{"cuda", "cuMemAllocManaged", "CUDA_ERROR_NOT_SUPPORTED", "MGPU_CUDA_LIBRARY"},
	} {
		t.Run(c.driver+" without "+c.lacks, func(t *testing.T) {
			library := filepath.Join(t.TempDir(), "libold.so")
			line := []string{"-std=gnu11", "-w", "-shared", "-fPIC", "-o", library,
				filepath.Join(chost.Root(), "internal", c.driver, "testdata", "stub.c"), "-D" + c.lacks + "=absent"}
			out, err := exec.Command("cc", line...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			image := inFile(t, drivertest.BuildAMD(t, "gfx906").Kernels())
			r := loading(t, image, "MGPU_DRIVER="+c.driver, c.variable+"="+library)
			require.Len(t, r.Lines(), 1, r.Stderr)
			require.Regexp(t, "^'"+c.lacks+"' failed with '"+c.code+"': "+library+"(, for CUDA .*,)? has no such function$", r.Lines()[0])
		})
	}
}

// No device, no driver, and nothing with the given name: each call prints one line and returns null.
func TestAForcedDriverThatIsNotThere(t *testing.T) {
	image := inFile(t, []byte("no image"))
	library := fakehip.Library(t)
	for _, c := range []struct {
		name string
		env  []string
		says []string
	}{
		{"hip without a device", []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + library, "FAKEHIP_DEVICES=0"},
			[]string{"MGPU_DRIVER=hip: tried " + library + " ('hipGetDeviceCount' failed with 'hipErrorNoDevice'"}},
		{"hip that is a directory", []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + filepath.Dir(library)},
			[]string{"MGPU_DRIVER=hip: tried " + filepath.Dir(library) + " (", "libamdhip64.so.7"}},
		{"cuda that is not CUDA", []string{"MGPU_DRIVER=cuda", "MGPU_CUDA_LIBRARY=" + library},
			[]string{"MGPU_DRIVER=cuda: tried " + library + " (not a CUDA driver: it has no cuInit, no "}},
		{"hip that is not HIP", []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=libc.so.6"},
			[]string{"MGPU_DRIVER=hip: tried libc.so.6 (not a HIP library: it has no hip"}},
		{"nonsense", []string{"MGPU_DRIVER=hip,cuda"}, []string{"MGPU_DRIVER=hip,cuda: expected hip, cuda, soft or null"}},
		{"a name in capitals", []string{"MGPU_DRIVER=HIP"}, []string{"MGPU_DRIVER=HIP: expected hip, cuda, soft or null"}},
		{"control characters", []string{"MGPU_DRIVER=so\nft\x1b[2J"}, []string{"MGPU_DRIVER=so?ft?[2J: expected hip, cuda, soft or null"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := loading(t, image, c.env...)
			require.Equal(t, "module 0\n", r.Stdout)
			require.NotEmpty(t, r.Lines())
			require.Regexp(t, `^'mgpu\w+' failed with '`, r.Lines()[0])
			for _, says := range c.says {
				require.Contains(t, r.Lines()[0], says)
			}
			for _, line := range r.Lines()[1:] {
				require.Regexp(t, `^mgpu: further calls that failed because no driver could be opened: `, line)
			}
		})
	}
}

package rocm

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// frontEnds is the folder of compilers and tools that reach AMD's GPUs beside HIP.
func frontEnds(t *testing.T) string {
	t.Helper()
	needHIP(t)
	root := filepath.Join(libraries(t), "..", "front-ends")
	if _, err := os.Stat(filepath.Join(root, "unpacked")); err != nil {
		t.Skip("front ends are not unpacked: make test-rocm does that")
	}
	return root
}

// LLVM's tools find GPUs by AMD's runtime.
func TestToolsOfLLVMListTheGPUs(t *testing.T) {
	needHIP(t)
	toolchain.Need(t, "amdgpu-arch-22")
	r := machine.start(t, []string{"MGPU_SOFT_CHIP=gfx90a", "MGPU_SOFT_DEVICES=2"}, "/usr/bin/amdgpu-arch-22")
	require.Equal(t, "gfx90a\ngfx90a\n", r.Stdout, r.Stderr)
}

func TestLLVMsOffloadListsTheGPU(t *testing.T) {
	root := frontEnds(t)
	r := machine.start(t, []string{"MGPU_SOFT_CHIP=gfx90a", "LD_LIBRARY_PATH=" + filepath.Join(root, "usr/lib/x86_64-linux-gnu")},
		filepath.Join(root, "usr/lib/llvm-22/bin/llvm-offload-device-info"))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Contains(t, r.Stdout, "[Software GPU (gfx90a)]\nPlatform Name: AMDGPU\n")
	require.Contains(t, r.Stdout, "Num Compute Units: 104\n")
}

// offload runs hosts/offload.c, a program of LLVM's liboffload, whose kernel has so many work-items.
func offload(t *testing.T, chip, items string, env ...string) chost.Result {
	root := frontEnds(t)
	libraries := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	program := chost.Once("offload", func(path string) {
		flags := []string{"-I" + filepath.Join(root, "usr/lib/llvm-22/include/offload"), "-L" + libraries, "-l:libLLVMOffload.so.22.1", "-Wl,--allow-shlib-undefined"}
		require.NoError(t, os.Rename(chost.Build(t, "offload", []string{"hosts/offload.c"}, flags...), path))
	})
	return machine.start(t, append([]string{"MODULE=" + machine.kernels(t, chip), "MGPU_SOFT_CHIP=" + chip, "LD_LIBRARY_PATH=" + libraries}, env...), program, strings.Fields(items)...)
}

func TestProgramsOfLLVMsOffloadComputeRight(t *testing.T) {
	for _, chip := range []string{"gfx900", "gfx906", "gfx908", "gfx90a"} {
		r := offload(t, chip, "64", "MGPU_SOFT_DEVICES=2")
		require.Equal(t, "2 ok\n", r.Stdout, chip+": "+r.Stderr)
		require.Equal(t, "exit 0", r.End, r.Stderr)
	}
}

func TestTheCheckerFindsOverrunsOfLLVMsOffload(t *testing.T) {
	checked := []string{"MGPU_CHECK=memory", "HSA_DISABLE_FRAGMENT_ALLOCATOR=1", "HSA_SVM_GUARD_PAGES=4096"}
	r := offload(t, "gfx906", "64", checked...)
	require.Equal(t, "1 ok\n", r.Stdout, r.Stderr)
	require.NotContains(t, r.Stderr, "mgpu check: memory: read")
	r = offload(t, "gfx906", "1024 2", checked...) // two groups: the second is past the page that the library asks for
	require.Regexp(t, `(?m)^mgpu check: memory: read of 4 bytes at 0x[0-9a-f]+, in kernel increment
    at increment\+0x[0-9a-f]+ .*hosts/kernels\.cl:10
    by workgroup \(1,0,0\), work-item \(960,0,0\), wave 15 lane 0.*
    0x[0-9a-f]+ is 0 bytes past the end of the block of 4096 bytes at `, r.Stderr)
}

// gccOffload compiles hosts/openmp.c with GCC and runs it.
func gccOffload(t *testing.T, model, chip string) string {
	root := frontEnds(t)
	version, err := exec.Command("gcc", "-dumpversion").Output()
	require.NoError(t, err)
	back := filepath.Join(root, "usr/lib/gcc/x86_64-linux-gnu", strings.TrimSpace(string(version)))
	if _, err := os.Stat(back); err != nil {
		t.Skipf("%s: GCC's offload compiler is of another release", back)
	}
	libraries := filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	path := strings.Join([]string{filepath.Join(root, "usr/bin"), os.Getenv("PATH")}, ":")
	program := filepath.Join(t.TempDir(), model)
	c := exec.Command("gcc", "-B"+back+"/", "-"+model, "-foffload=amdgcn-amdhsa", "-foffload-options=-march="+chip, "-O2", "-o", program, "hosts/openmp.c")
	llvm, _ := filepath.Glob(filepath.Join(root, "usr/lib/llvm-*/lib"))
	c.Env = append(os.Environ(), "PATH="+path, "LD_LIBRARY_PATH="+strings.Join(append(llvm, libraries), ":"))
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	r := machine.start(t, []string{"MGPU_SOFT_CHIP=" + chip, "LD_LIBRARY_PATH=" + libraries}, program)
	require.Equal(t, "exit 0", r.End, r.Stdout+r.Stderr)
	return r.Stdout
}

// For gfx900 and gfx908 GCC 12 takes a library of another chip, which its linker refuses.
func TestGCCsOpenMPRunsOnTheGPU(t *testing.T) {
	require.Equal(t, "on the GPU, sum 999000\n", gccOffload(t, "fopenmp", "gfx906"))
}

func TestGCCsOpenACCRunsOnTheGPU(t *testing.T) {
	require.Equal(t, "on the GPU, sum 999000\n", gccOffload(t, "fopenacc", "gfx906"))
}

// llvmOpenMP compiles a program of hosts/ with LLVM 19 and runs it.
func llvmOpenMP(t *testing.T, source, chip string, env ...string) chost.Result {
	root := frontEnds(t)
	bitcode, _ := filepath.Glob("/usr/lib/*/amdgcn/bitcode/ockl.bc")
	require.NotEmpty(t, bitcode, "rocm-device-libs")
	llvm := filepath.Join(root, "usr/lib/llvm-19")
	libraries := "LD_LIBRARY_PATH=" + filepath.Join(llvm, "lib") + ":" + filepath.Join(root, "usr/lib/x86_64-linux-gnu")
	program := filepath.Join(t.TempDir(), source)
	c := exec.Command(filepath.Join(llvm, "bin/clang"), "-fopenmp", "--offload-arch="+chip, "-L"+filepath.Join(llvm, "lib"),
		"--rocm-device-lib-path="+filepath.Dir(bitcode[0]), "-O2", "-g", "-o", program, "hosts/"+source+".c")
	c.Env = append(os.Environ(), libraries)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	return machine.start(t, append([]string{"MGPU_SOFT_CHIP=" + chip, libraries, "OMP_TARGET_OFFLOAD=MANDATORY"}, env...), program)
}

func TestLLVMsOpenMPRunsOnTheGPU(t *testing.T) {
	for _, chip := range []string{"gfx900", "gfx906", "gfx908", "gfx90a", "gfx1030"} {
		r := llvmOpenMP(t, "openmp", chip)
		require.Equal(t, "on the GPU, sum 999000\n", r.Stdout, chip+": "+r.Stderr)
		require.Equal(t, "exit 0", r.End, r.Stderr)
	}
}

func TestTheCheckerFindsOverrunsOfLLVMsOpenMP(t *testing.T) {
	checked := []string{"MGPU_CHECK=memory,race", "HSA_DISABLE_FRAGMENT_ALLOCATOR=1", "HSA_SVM_GUARD_PAGES=4096"}
	r := llvmOpenMP(t, "openmp", "gfx906", checked...)
	require.Equal(t, "on the GPU, sum 999000\n", r.Stdout, r.Stderr)
	require.Equal(t, "mgpu check: memory,race: 2 launches: nothing found\n", r.Stderr)
	r = llvmOpenMP(t, "overrun", "gfx906", checked...)
	require.Regexp(t, `(?m)^mgpu check: memory: write of 4 bytes at 0x[0-9a-f]+, in kernel __omp_offloading_\w+_main_l9
    at __omp_offloading_\w+_main_l9\+0x[0-9a-f]+ .*hosts/overrun\.c:11
    by workgroup .*
    0x[0-9a-f]+ is 0 bytes past the end of the block of 4096 bytes at `, r.Stderr)
}

// ROCm SMI reads the files of the PCI devices.
func TestROCmSMIListsTheGPUs(t *testing.T) {
	root := frontEnds(t)
	r := machine.start(t, []string{"MGPU_SOFT_CHIP=gfx90a", "MGPU_SOFT_DEVICES=2", "MGPU_SOFT_MEMORY=1GiB", "LD_LIBRARY_PATH=" + filepath.Join(root, "usr/lib")},
		chost.Build(t, "smi", []string{"hosts/rsmi.c"}, "-L"+filepath.Join(root, "usr/lib"), "-l:librocm_smi64.so.1"))
	require.Equal(t, "exit 0", r.End, r.Stderr)
	require.Equal(t, "0x740f at 0x300, 1073741824 bytes\n0x740f at 0x400, 1073741824 bytes\n", r.Stdout)
}

// OpenCL programs run by AMD's runtime for it, whose compiler wants LLVM 22's headers where the machine has them: those of
// other releases want older ones.
func TestOpenCLProgramsComputeRight(t *testing.T) {
	s := suites[len(suites)-1]
	t.Run(s.name, func(t *testing.T) {
		vendors := filepath.Join(s.root(t), "etc", "OpenCL", "vendors")
		if _, err := os.Stat(filepath.Join(vendors, "amdocl64.icd")); err != nil {
			t.Skip("unpacked without AMD's OpenCL: make test-rocm adds it")
		}
		for _, chip := range []string{"gfx906", "gfx90a", "gfx1100"} {
			r := s.start(t, []string{"MGPU_SOFT_CHIP=" + chip, "MGPU_SOFT_DEVICES=2", "OCL_ICD_VENDORS=" + vendors}, s.programOf(t, "opencl", "libOpenCL.so.1"))
			require.Equal(t, "ok\n", r.Stdout, r.Stderr)
			require.Equal(t, "exit 0", r.End, r.Stderr)
		}
	})
}

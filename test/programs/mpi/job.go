package mpi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// MPI is a library for messages: by the name that lowering knows, with its process manager.
type MPI struct {
	Name, Library, Start string
	LocalRank            string // the process manager's variable for it
}

// Both are the libraries that programs are tested with.
var Both = []MPI{
	{Name: "OpenMPI", Library: "libmpi.so.40", Start: "mpirun.openmpi", LocalRank: "OMPI_COMM_WORLD_LOCAL_RANK"},
	{Name: "MPICH", Library: "libmpich.so.12", Start: "mpirun.mpich", LocalRank: "MPI_LOCALRANKID"},
}

// Settings let a process manager start more ranks than there are cores, as root, on a machine that
// tests and throws away, and keep quiet libraries that look into /sys where it is not mounted.
// Open MPI 5, which comes with prterun, also looks for network interfaces where there are none.
var Settings = append([]string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1",
	"HWLOC_HIDE_ERRORS=2", "UCX_LOG_LEVEL=fatal"}, openMPI5()...)

func openMPI5() []string {
	if _, err := exec.LookPath("prterun"); err != nil {
		return nil
	}
	return []string{"PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe", "OMPI_MCA_btl=^tcp"}
}

// Need skips a test where a tool or the MPI is missing.
func (m MPI) Need(t *testing.T) {
	t.Helper()
	toolchain.Need(t, "mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22", m.Start)
}

// Lower lowers text by a kind of scripts/lower for this MPI, into a new file.
func (m MPI) Lower(t *testing.T, kind, text string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.mlir"), filepath.Join(dir, "lowered.mlir")
	require.NoError(t, os.WriteFile(in, []byte(text), 0o600))
	_, err := toolchain.Run(nil, []string{"MPI=" + m.Name}, script("lower"), "22", kind, in, out)
	require.NoError(t, err)
	return out
}

// Link links lowered modules, the first with main, and the MPI to a program.
func (m MPI) Link(t *testing.T, lowered ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"22", lowered[0], program}, objects(t, lowered[1:])...)
	_, err := toolchain.Run(nil, runtime(t), script("link"), append(args, "-lmlir_rocm_runtime", "-l:"+m.Library)...)
	require.NoError(t, err)
	return program
}

// Shared makes a shared library of a lowered module.
func (m MPI) Shared(t *testing.T, lowered string) string {
	t.Helper()
	library := filepath.Join(t.TempDir(), "libmodule.so")
	args := append([]string{"-shared", "-o", library}, objects(t, []string{lowered})...)
	_, err := toolchain.Run(nil, nil, "cc", append(args, chost.Linked(chost.Library(t))...)...)
	require.NoError(t, err)
	return library
}

// objects compiles modules for the host.
func objects(t *testing.T, lowered []string) (paths []string) {
	t.Helper()
	for _, in := range lowered {
		out := in + ".o"
		_, err := toolchain.Run(nil, nil, script("object"), "22", in, out)
		require.NoError(t, err)
		paths = append(paths, out)
	}
	return paths
}

// Jit is the command that runs a lowered module in mlir-runner, with further libraries.
func (m MPI) Jit(lowered string, libraries ...string) []string {
	// The runner wants whole paths.
	found, _ := filepath.Glob("/usr/lib/*/" + m.Library)
	return append([]string{script("jit"), "22", lowered}, append(found, libraries...)...)
}

// Unmixed is what a job in the runner printed, with a line for each rank's result, 0. As
// the runner writes a result and its newline apart, those of several ranks may be mixed
// at the end.
func Unmixed(stdout string) string {
	lines := strings.TrimRight(stdout, "0\n")
	if n := strings.IndexByte(stdout[len(lines):], '\n'); n >= 0 {
		lines = stdout[:len(lines)+n+1]
	}
	return lines + strings.Repeat("0\n", strings.Count(stdout[len(lines):], "0"))
}

// Run starts so many ranks of a command on the software GPU; zero: without the process manager.
func (m MPI) Run(t *testing.T, ranks int, env []string, command ...string) chost.Result {
	t.Helper()
	env = slices.Concat(env, runtime(t), Settings, []string{"MGPU_DRIVER=soft"})
	if ranks > 0 {
		command = append([]string{m.Start, "-n", strconv.Itoa(ranks)}, command...)
	}
	return chost.Run(t, env, command[0], command[1:]...)
}

func script(name string) string { return filepath.Join(chost.Root(), "scripts", name) }

func runtime(t *testing.T) []string {
	t.Helper()
	return []string{"RUNTIME=" + filepath.Dir(chost.Library(t))}
}

// Program is what is compared: main's module, and that of the functions it calls.
type Program struct {
	Name  string
	Main  string // text of the module with main
	Other string // text of a module for kind shard; empty: none
}

// Programs are those of this folder, for so many ranks.
func Programs(t *testing.T, ranks int) []Program {
	t.Helper()
	return []Program{
		{Name: "heat", Main: read(t, "heat.mlir")},
		{Name: "ring", Main: read(t, "ring.mlir")},
		{Name: "shard", Main: read(t, "shard_main.mlir"), Other: strings.ReplaceAll(read(t, "shard.mlir"), "shape = 4", fmt.Sprintf("shape = %d", ranks))},
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// Commands lowers a program and gives the commands that run it: linked, and in the
// runner if jit.
func (m MPI) Commands(t *testing.T, p Program, jit bool) map[string][]string {
	t.Helper()
	modules := []string{m.Lower(t, "async", p.Main)}
	if p.Other != "" {
		modules = append(modules, m.Lower(t, "shard", p.Other))
	}
	commands := map[string][]string{"linked": {m.Link(t, modules...)}}
	if jit {
		var libraries []string
		for _, lowered := range modules[1:] {
			libraries = append(libraries, m.Shared(t, lowered))
		}
		commands["runner"] = m.Jit(modules[0], libraries...)
	}
	return commands
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

const libraryName = "libmlir_rocm_runtime.so"

// runOptions are the flags of mgpu run.
type runOptions struct {
	library       string
	settings      map[string]*string // of the library, by their names; empty: not set
	env           []string           // "NAME=value"
	exitCode      uint
	noCache, rocm bool
}

func runCommand() *cobra.Command {
	c, _ := newRunCommand()
	return c
}

func newRunCommand() (*cobra.Command, *runOptions) {
	o := &runOptions{settings: map[string]*string{}}
	c := &cobra.Command{
		Use:   "run [flags] program [arguments]",
		Short: "Run a program with this library instead of MLIR's",
		Long: "Run a program that uses MLIR's GPU runtime, with " + libraryName + " preloaded. The program\n" +
			"needs no change. The exit status is the program's, 127 if it was not found, 126 if it can't be run,\n" +
			"and 2 for wrong flags.",
		Args:              arguments(1, -1),
		RunE:              func(_ *cobra.Command, args []string) error { return o.exec(args) },
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
	}
	c.Flags().SetInterspersed(false)
	libraryFlag(c, &o.library)
	addSettingFlags(c, o.settings)
	c.Flags().BoolVar(&o.rocm, "rocm", false, "run a HIP program on AMD's own libraries over the software GPU")
	c.Flags().UintVar(&o.exitCode, "error-exitcode", 0, "end with `STATUS` if a call failed or a check found something (MGPU_ON_ERROR=exit:N)")
	takes(c, "error-exitcode", "a status from 1 to 255")
	c.Flags().BoolVar(&o.noCache, "no-cache", false, "make every call a driver call (MGPU_CACHE=off)")
	c.Flags().StringArrayVarP(&o.env, "env", "e", nil, "set `NAME=VALUE` in the program's environment; may be repeated")
	_ = c.RegisterFlagCompletionFunc("env", completeVariable)
	return c, o
}

// libraryFlag adds --library.
func libraryFlag(c *cobra.Command, library *string) {
	c.Flags().StringVar(library, "library", "", "use this `FILE` as the library (default: "+libraryName+" beside mgpu, in ../lib or in build)")
}

// exec replaces this process by the program. If a timeline is to be made, it runs the program and waits for it.
func (o *runOptions) exec(args []string) error {
	set, err := o.set()
	if err != nil {
		return err
	}
	program, err := exec.LookPath(args[0])
	if err != nil {
		status := statusCannotRun
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
			status = statusNoProgram
		}
		return failure{fmt.Errorf("%s: %w%s", shownName(args[0]), reason(err), runInstead(args[0])), status}
	}
	env := with(os.Environ(), set)
	if o.rocm {
		env, err = o.onROCm(program, env)
	} else {
		env, err = o.onMGPU(program, env)
	}
	if err != nil {
		return err
	}
	if trace := o.settings["MGPU_TRACE"]; trace != nil && *trace != "" {
		return runTraced(program, args, env)
	}
	for fd := range 3 {
		if closedAtStart(fd) {
			syscall.CloseOnExec(fd) // closed for the program, too
		}
	}
	if ignoredAtStart(syscall.SIGCHLD) {
		signal.Ignore(syscall.SIGCHLD)
	}
	err = syscall.Exec(program, args, env)
	return failure{fmt.Errorf("cannot run %s: %w", program, err), statusCannotRun}
}

// runInstead says what the user may have meant: a program in the current folder, or a runner for MLIR; empty if neither.
func runInstead(name string) string {
	if strings.HasSuffix(name, ".mlir") {
		return ": mlir-runner --shared-libs=$(mgpu path) runs lowered MLIR"
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 || strings.Contains(name, "/") {
		return ""
	}
	return fmt.Sprintf(": did you mean ./%s?", name)
}

// reason returns the system's part of an error, without Go's prefix.
func reason(err error) error {
	for ; ; err = errors.Unwrap(err) {
		switch err.(type) {
		case *exec.Error, *fs.PathError:
		default:
			return err
		}
	}
}

// set returns the variables that the flags set.
func (o *runOptions) set() (map[string]string, error) {
	set := map[string]string{}
	for _, v := range o.env {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, wrongUse("-e %s: expected -e NAME=value", v)
		}
		if strings.HasPrefix(name, "MGPU_") && value != "" {
			if err := wrongValue("-e "+name, name, value); err != nil {
				return nil, err
			}
		}
		set[name] = value
	}
	for _, f := range settingFlags {
		if value := o.settings[f.setting]; value != nil && *value != "" {
			if err := wrongValue("--"+f.name, f.setting, *value); err != nil {
				return nil, err
			}
			set[f.setting] = *value
		}
	}
	if o.exitCode > 255 {
		return nil, wrongUse("--error-exitcode=%d: expected a status from 1 to 255", o.exitCode)
	}
	if o.exitCode != 0 {
		set["MGPU_ON_ERROR"] = fmt.Sprintf("exit:%d", o.exitCode)
	}
	if o.noCache {
		set["MGPU_CACHE"] = "off"
	}
	return set, nil
}

// onMGPU returns env with the library preloaded into the program.
func (o *runOptions) onMGPU(program string, env []string) ([]string, error) {
	library, object, err := o.findWith(libraryName, "mgpuLaunchKernel")
	if err != nil {
		return nil, err
	}
	if err := takesLibraries(program, &object.header); err != nil {
		return nil, failure{err, statusCannotRun}
	}
	if library, err = loadable(library); err != nil {
		return nil, failure{err, statusCannotRun}
	}
	if callsHIPAlone(program, env) {
		fmt.Fprintf(os.Stderr, "mgpu: %s %s\n", program, runsOnROCm)
	}
	return with(env, map[string]string{"LD_PRELOAD": preloaded(env, library)}), nil
}

// onROCm returns env for a HIP program, and prints on what the program runs.
func (o *runOptions) onROCm(program string, env []string) ([]string, error) {
	out := map[string]bool{"no-cache": o.noCache}
	for _, f := range settingFlags {
		value := o.settings[f.setting]
		out[f.name] = !f.rocm && value != nil && *value != ""
	}
	for _, name := range slices.Sorted(maps.Keys(out)) {
		if out[name] {
			return nil, wrongUse("--rocm runs AMD's libraries, which --%s does not reach; --chip, --check, --profile, --stats, --on-error, --error-exitcode, -e and --library go with it", name)
		}
	}
	if refused := settings.NotForHIP(env); len(refused) > 0 && callsHIPAlone(program, env) {
		return nil, wrongUse("%s: "+settings.WhyNotForHIP, strings.Join(refused, ", "))
	}
	checks := value(env, "MGPU_CHECK")
	if _, err := softgpu.AsksForChecks(checks); err != nil {
		return nil, wrongUse("MGPU_CHECK=%s: %w", checks, err)
	}
	driver, object, err := o.findWith(filepath.Join("rocm", driverName), driverFunction)
	if err != nil && o.library == "" {
		err = fmt.Errorf("%w: %s", err, whoHasDriver)
	}
	if err != nil {
		return nil, err
	}
	if err := takesLibraries(program, &object.header); err != nil {
		return nil, failure{err, statusCannotRun}
	}
	r, err := findROCm(program, hip.Places)
	if err != nil {
		return nil, err
	}
	if err := writable(cmp.Or(value(env, "TMPDIR"), "/tmp")); err != nil {
		return nil, fmt.Errorf("HIP compiles its copy kernels when it starts, and crashes without room for temporary files (TMPDIR): %w", err)
	}
	chip := cmp.Or(value(env, "MGPU_SOFT_CHIP"), "gfx906")
	if !r.knows(chip) {
		return nil, failure{fmt.Errorf("HIP %s (%s) does not know %s: choose another chip (--chip), or a later release of ROCm", r.release(), r.hip, chip), statusCannotRun}
	}
	fmt.Fprintf(os.Stderr, "mgpu: HIP %s (%s) on a software %s\n", r.release(), r.hip, chip)
	if why := r.refuses(program, chip, env); why != "" {
		fmt.Fprintf(os.Stderr, "mgpu: %s\n", why)
	}
	libraries := []string{driver}
	if checks != "" && checks != "off" {
		libraries = append(libraries, filepath.Join(filepath.Dir(driver), "libmgpu_sites.so"))
	}
	for i := range libraries {
		if libraries[i], err = loadable(libraries[i]); err != nil {
			return nil, failure{err, statusCannotRun}
		}
	}
	folder, err := searchable(filepath.Dir(r.hip))
	if err != nil {
		return nil, failure{err, statusCannotRun}
	}
	set := r.environment(libraries, folder, chip, env)
	if value(env, "MGPU_DRIVER") == "" {
		set["MGPU_DRIVER"] = "hip" // a program's calls of mgpu and of HIP share handles
	}
	if watched, _ := softgpu.AsksForChecks(checks); watched {
		set["HSA_DISABLE_FRAGMENT_ALLOCATOR"] = "1" // each allocation is a block of its own
		set["HSA_SVM_GUARD_PAGES"] = guardPages
	}
	return with(env, set), nil
}

// guardPages is the number of pages that AMD's library leaves free around each block, for the checker's guards.
const guardPages = "4096"

// preloaded returns library followed by the libraries that env already preloads.
func preloaded(env []string, library string) string {
	if others := value(env, "LD_PRELOAD"); others != "" {
		return library + ":" + others
	}
	return library
}

// value returns the value of a variable in env; empty if it has none.
func value(env []string, name string) string {
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// with returns env with the variables of set replaced.
func with(env []string, set map[string]string) []string {
	var out []string
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if _, replaced := set[name]; !replaced {
			out = append(out, v)
		}
	}
	for name, value := range set {
		out = append(out, name+"="+value)
	}
	return out
}

// findWith is find for a library that has to define a function. The loader only prints that it ignores another file,
// and the program would run without the library.
func (o *runOptions) findWith(name, function string) (string, *object, error) {
	path, err := o.find(name)
	if err != nil {
		return path, nil, err
	}
	file, err := readObject(path)
	switch {
	case o.library != "" && (err != nil || !file.defines[function]):
		return "", nil, wrongUse("%s is not %s", o.library, filepath.Base(name))
	case err != nil:
		return "", nil, fmt.Errorf("%s: %w", path, err)
	case !file.defines[function]:
		return "", nil, fmt.Errorf("%s does not define %s", path, function)
	}
	return path, file, nil
}

// find returns the absolute path of a library.
func (o *runOptions) find(name string) (string, error) {
	candidates := []string{o.library}
	if o.library != "" {
		if _, err := os.Stat(o.library); err != nil {
			return "", wrongUse("--library=%s: %w", o.library, reason(err))
		}
	} else {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		dir := filepath.Dir(self)
		installed := name
		if filepath.Dir(name) != "." {
			installed = filepath.Join("mgpu", name) // build and lib have different folders
		}
		candidates = []string{filepath.Join(dir, name), filepath.Join(dir, "..", "lib", installed)}
		packaged, _ := filepath.Glob(filepath.Join(dir, "..", "lib", "*-linux-gnu", installed)) // Debian's; other systems have lib64
		candidates = append(append(candidates, packaged...), filepath.Join(dir, "..", "lib64", installed), filepath.Join("build", name))
	}
	for _, c := range candidates {
		if _, err := os.Stat(c); err == nil {
			return filepath.Abs(c)
		}
	}
	return "", fmt.Errorf("no %s; tried %s", name, strings.Join(candidates, ", "))
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

const libraryName = "libmlir_rocm_runtime.so"

// runOptions are the flags of mgpu run, each a setting of the library.
type runOptions struct {
	library, driver, check string
	chip, trace, onError   string
	exitCode               uint8
	stats, noCache, rocm   bool
}

func runCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "run [flags] program [arguments]",
		Short: "Run a program with the library in the place of MLIR's own",
		Long: "Run a program, linked against MLIR's GPU runtime or any stand-in for it, with\n" +
			libraryName + " preloaded. The program needs no change.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return o.exec(args) },
	}
	c.Flags().SetInterspersed(false)
	c.Flags().StringVar(&o.library, "library", "", "path of "+libraryName+" (default: beside mgpu, in ../lib or in build)")
	c.Flags().StringVar(&o.driver, "driver", "", "the only driver to try (MGPU_DRIVER)")
	c.Flags().StringVar(&o.check, "check", "", "what kernels are watched for: memory, race, uninit, ... (MGPU_CHECK)")
	c.Flags().StringVar(&o.chip, "chip", "", "which GPU the software GPU is: gfx906, gfx90a:xnack+, ... (MGPU_SOFT_CHIP)")
	c.Flags().BoolVar(&o.rocm, "rocm", false, "run a HIP program on AMD's own libraries over the software GPU")
	c.Flags().StringVar(&o.trace, "trace", "", "record a timeline in a file, mgpu-trace.json if none is given (MGPU_TRACE)")
	c.Flags().Lookup("trace").NoOptDefVal = "mgpu-trace.json"
	c.Flags().StringVar(&o.onError, "on-error", "", "what a failing call does: abort, exit, exit:2 (MGPU_ON_ERROR)")
	c.Flags().Uint8Var(&o.exitCode, "error-exitcode", 0, "the status to end with where a call failed, or something was found (MGPU_ON_ERROR=exit:N)")
	c.Flags().BoolVar(&o.stats, "stats", false, "print statistics at exit (MGPU_STATS=1)")
	c.Flags().BoolVar(&o.noCache, "no-cache", false, "every call goes straight to the driver (MGPU_CACHE=off)")
	return c
}

// exec replaces this process by the program.
func (o *runOptions) exec(args []string) error {
	program, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	env := os.Environ()
	if o.rocm {
		env, err = o.onROCm(program, env)
	} else {
		var library string
		if library, err = o.find(libraryName); err == nil {
			env = o.environment(env, library)
		}
	}
	if err != nil {
		return err
	}
	err = syscall.Exec(program, args, env)
	return fmt.Errorf("cannot run %s: %w", program, err)
}

// onROCm is env for a HIP program, and says what it runs on.
func (o *runOptions) onROCm(program string, env []string) ([]string, error) {
	if o.driver != "" || o.stats || o.noCache || o.trace != "" || o.onError != "" || o.exitCode != 0 {
		return nil, errors.New("--rocm runs AMD's libraries: --driver, --stats, --trace, --on-error, --error-exitcode and --no-cache are not theirs")
	}
	thunk, err := o.find(filepath.Join("rocm", thunkName))
	if err != nil {
		return nil, fmt.Errorf("%w: 'make rocm' builds it", err)
	}
	r, err := findROCm(program, hipPlaces)
	if err != nil {
		return nil, err
	}
	chip := o.chip
	if chip == "" {
		chip = os.Getenv("MGPU_SOFT_CHIP")
	}
	if chip == "" {
		chip = "gfx906"
	}
	fmt.Fprintf(os.Stderr, "mgpu: HIP %s (%s) on a software %s\n", r.release(), r.hip, chip)
	set := r.environment(filepath.Dir(thunk), chip, os.Getenv("LD_LIBRARY_PATH"))
	if o.check != "" {
		set["MGPU_CHECK"] = o.check
	}
	if check := set["MGPU_CHECK"] + os.Getenv("MGPU_CHECK"); check != "" && check != "off" {
		set["HSA_DISABLE_FRAGMENT_ALLOCATOR"] = "1" // each allocation its own block
		set["LD_PRELOAD"] = preloaded(env, filepath.Join(filepath.Dir(thunk), "libmgpu_sites.so"))
	}
	return with(env, set), nil
}

// environment is env with the library in front of others that are preloaded, and
// with the flags' settings in the place of what it has.
func (o *runOptions) environment(env []string, library string) []string {
	set := map[string]string{"LD_PRELOAD": preloaded(env, library)}
	for name, value := range map[string]string{"MGPU_SOFT_CHIP": o.chip, "MGPU_DRIVER": o.driver, "MGPU_CHECK": o.check, "MGPU_TRACE": o.trace,
		"MGPU_ON_ERROR": cmp.Or(when(o.exitCode != 0, fmt.Sprintf("exit:%d", o.exitCode)), o.onError), "MGPU_STATS": when(o.stats, "1"), "MGPU_CACHE": when(o.noCache, "off")} {
		if value != "" {
			set[name] = value
		}
	}
	return with(env, set)
}

// preloaded is library, and behind it what env preloads already.
func preloaded(env []string, library string) string {
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, "LD_PRELOAD="); ok && value != "" {
			return library + ":" + value
		}
	}
	return library
}

// with is env with settings in the place of what it has.
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

func when(set bool, value string) string {
	if set {
		return value
	}
	return ""
}

// find returns the absolute path of a library.
func (o *runOptions) find(name string) (string, error) {
	candidates := []string{o.library}
	if o.library == "" {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		dir := filepath.Dir(self)
		candidates = []string{filepath.Join(dir, name), filepath.Join(dir, "..", "lib", name), filepath.Join("build", name)}
	}
	for _, c := range candidates {
		if _, err := os.Stat(c); err == nil {
			return filepath.Abs(c)
		}
	}
	return "", fmt.Errorf("no %s; tried %s", name, strings.Join(candidates, ", "))
}

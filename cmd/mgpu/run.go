package main

import (
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
	stats, noCache         bool
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
	c.Flags().BoolVar(&o.stats, "stats", false, "print statistics at exit (MGPU_STATS=1)")
	c.Flags().BoolVar(&o.noCache, "no-cache", false, "every call goes straight to the driver (MGPU_CACHE=off)")
	return c
}

// exec replaces this process by the program.
func (o *runOptions) exec(args []string) error {
	library, err := o.find()
	if err != nil {
		return err
	}
	program, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	err = syscall.Exec(program, args, o.environment(os.Environ(), library))
	return fmt.Errorf("cannot run %s: %w", program, err)
}

// environment is env with the library in front of others that are preloaded, and
// with the flags' settings in the place of what it has.
func (o *runOptions) environment(env []string, library string) []string {
	set := map[string]string{"LD_PRELOAD": library}
	for name, value := range map[string]string{"MGPU_DRIVER": o.driver, "MGPU_CHECK": o.check, "MGPU_STATS": when(o.stats, "1"), "MGPU_CACHE": when(o.noCache, "off")} {
		if value != "" {
			set[name] = value
		}
	}
	var out []string
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if name == "LD_PRELOAD" && value != "" {
			set[name] += ":" + value
		}
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

// find returns the library's absolute path.
func (o *runOptions) find() (string, error) {
	candidates := []string{o.library}
	if o.library == "" {
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		dir := filepath.Dir(self)
		candidates = []string{filepath.Join(dir, libraryName), filepath.Join(dir, "..", "lib", libraryName), filepath.Join("build", libraryName)}
	}
	for _, c := range candidates {
		if _, err := os.Stat(c); err == nil {
			return filepath.Abs(c)
		}
	}
	return "", fmt.Errorf("no %s; tried %s", libraryName, strings.Join(candidates, ", "))
}

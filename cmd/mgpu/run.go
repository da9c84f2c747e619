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

// environment is env with the settings and the library in front of others that
// are preloaded.
func (o *runOptions) environment(env []string, library string) []string {
	preload := library
	out := make([]string, 0, len(env)+4)
	for _, v := range env {
		if others, ok := strings.CutPrefix(v, "LD_PRELOAD="); ok {
			if others != "" {
				preload += ":" + others
			}
			continue
		}
		out = append(out, v)
	}
	out = append(out, "LD_PRELOAD="+preload)
	for setting, on := range map[string]bool{"MGPU_STATS=1": o.stats, "MGPU_CACHE=off": o.noCache, "MGPU_DRIVER=" + o.driver: o.driver != "", "MGPU_CHECK=" + o.check: o.check != ""} {
		if on {
			out = append(out, setting)
		}
	}
	return out
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

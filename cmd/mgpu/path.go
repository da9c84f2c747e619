package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

const (
	cudaLibraryName = "libmlir_cuda_runtime.so"
	litConfigName   = "lit.cfg.py"
)

// pathCommand prints the paths of files, for scripts.
func pathCommand() *cobra.Command {
	var o runOptions
	var cuda, lit bool
	c := &cobra.Command{
		Use:   "path [flags]",
		Short: "Print the library's path, for --shared-libs and similar options",
		Args:  arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			find := func() (string, error) { return o.find(libraryName) }
			switch {
			case cuda && lit || o.library != "" && (cuda || lit):
				return wrongUse("--cuda, --lit and --library each print another path: one of them")
			case cuda:
				find = func() (string, error) { return o.find(cudaLibraryName) }
			case lit:
				find = findLitConfig
			}
			path, err := find()
			if err != nil {
				return err
			}
			fmt.Fprintln(c.OutOrStdout(), path)
			return nil
		},
	}
	libraryFlag(c, &o.library)
	c.Flags().BoolVar(&cuda, "cuda", false, "print the path of "+cudaLibraryName+", which tries CUDA before HIP")
	c.Flags().BoolVar(&lit, "lit", false, "print the path of a configuration for LLVM's lit, with the substitution %mlir_rocm_runtime")
	return c
}

// findLitConfig returns the path of lit's configuration, installed or in a clone.
func findLitConfig() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(self)
	candidates := []string{filepath.Join(dir, "../share/mgpu", litConfigName), filepath.Join(dir, "../package", litConfigName)}
	for _, c := range candidates {
		if _, err := os.Stat(c); err == nil {
			return c, nil
		}
	}
	return "", fmt.Errorf("no %s; tried %s", litConfigName, strings.Join(candidates, ", "))
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/include"
)

func versionCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "version [flags]",
		Short: "Tell the versions of the command and of the library that it runs programs with",
		Args:  arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			fmt.Fprintf(out, "mgpu %s (%s, %s/%s)\n", include.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			path, err := o.find(libraryName)
			if err != nil {
				fmt.Fprintf(out, "library: %v\n", err)
				return nil
			}
			version, err := libraryVersion(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "library %s (%s)\n", version, path)
			return nil
		},
	}
	libraryFlag(c, &o.library)
	return c
}

// versionMark stands before the version in the library's file.
const versionMark = "mgpu library version "

// libraryVersion returns the version that a library's file holds.
func libraryVersion(path string) (string, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if _, rest, found := bytes.Cut(file, []byte(versionMark)); found {
		if version, _, ended := bytes.Cut(rest[:min(len(rest), 32)], []byte{0}); ended {
			return string(version), nil
		}
	}
	return "", fmt.Errorf("%s does not say its version: it is another runtime, or older than 0.1.0", path)
}

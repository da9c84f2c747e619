package main

import (
	"bytes"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/internal/input"
)

func versionCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use:   "version [flags]",
		Short: "Print the versions of the command and of the library",
		Args:  arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			out := c.OutOrStdout()
			fmt.Fprintln(out, ownVersion())
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

// ownVersion returns the line with this command's version.
func ownVersion() string {
	return fmt.Sprintf("mgpu %s (%s, %s/%s)", include.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionMark is the text before the version in the library's file.
const versionMark = "mgpu library version "

// mostLibrary is how many bytes of a file are searched for its version.
const mostLibrary = 512 << 20

// mostVersion is the longest version, with its NUL.
const mostVersion = 32

// libraryVersion returns the version in a library's file.
func libraryVersion(path string) (string, error) {
	file, err := input.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	const kept = len(versionMark) + mostVersion // of the previous part, in which the mark may begin
	buffer := make([]byte, kept+1<<20)
	have := 0
	for from := io.LimitReader(file, mostLibrary); ; {
		n, err := io.ReadFull(from, buffer[have:])
		text := buffer[:have+n]
		if _, rest, found := bytes.Cut(text, []byte(versionMark)); found && (len(rest) >= mostVersion || err != nil) {
			if version, _, ended := bytes.Cut(rest[:min(len(rest), mostVersion)], []byte{0}); ended {
				return string(version), nil
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return "", fmt.Errorf("%s does not say its version: it is another runtime, or older than 0.1.0", path)
		}
		if err != nil {
			return "", err
		}
		have = copy(buffer, text[len(text)-kept:])
	}
}

package main

import (
	"debug/elf"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/input"
)

// parsed is a code object with its bytes.
type parsed struct {
	*codeobj.Object
	image []byte
}

// find returns a code object of the file that has the kernel: the one for the requested chip, else the one for the chip
// that the environment gives the software GPU, if there is one, else the first.
func (o *launchOptions) find(name, kernel string) (parsed, error) {
	f, err := input.Open(name)
	if err != nil {
		return parsed{}, err
	}
	defer f.Close()
	contents, err := input.ReadAll(f, mostRead)
	if err != nil {
		return parsed{}, fmt.Errorf("%s: %w", name, err)
	}
	objects, packed, damaged := objectsIn(contents)
	chip := o.chip
	if set := os.Getenv("MGPU_SOFT_CHIP"); chip == "" && o.driverName() == "soft" && slices.ContainsFunc(objects, func(p parsed) bool { return p.runsOn(set) }) {
		chip = set
	}
	var targets, kernels []string
	for _, object := range objects {
		if chip != "" && !object.runsOn(chip) {
			targets = append(targets, object.Target)
			continue
		}
		for i := range object.Kernels {
			if object.Kernels[i].Name == kernel {
				return object, nil
			}
			kernels = append(kernels, object.Kernels[i].Name)
		}
	}
	switch {
	case kernels != nil:
		slices.Sort(kernels)
		return parsed{}, fmt.Errorf("%s: no kernel %s: it has %s", name, kernel, strings.Join(slices.Compact(kernels), ", "))
	case targets != nil:
		return parsed{}, fmt.Errorf("%s: no code object for %s: it has %s", name, chip, strings.Join(targets, ", "))
	case packed:
		return parsed{}, fmt.Errorf("%s: its code objects are in a %v: %s", name, codeobj.KindCompressedBundle, codeobj.Unpack)
	}
	if damaged != nil {
		return parsed{}, fmt.Errorf("%s: %w", name, damaged)
	}
	return parsed{}, fmt.Errorf("%s: no AMDGPU code object with a kernel in it", name)
}

func (p parsed) runsOn(chip string) bool {
	return codeobj.ParseTarget(p.Target).Runs(codeobj.ParseTarget(chip))
}

// objectsIn returns the readable code objects of a file of any kind, whether a compressed bundle may have others, and the
// first reason why one can't be read.
func objectsIn(contents []byte) (all []parsed, packed bool, damaged error) {
	add := func(image []byte) error {
		object, err := codeobj.Parse(image)
		if err == nil && len(object.Kernels) > 0 {
			all = append(all, parsed{object, image})
		}
		return err
	}
	images := codeobj.Find(contents)
	var end uint64 // of what Extent has read
	kind, length, err := codeobj.Extent(func(buf []byte, off uint64) error {
		read := max(off, off+uint64(len(buf))) // the sum of what a header says may overflow
		if end = max(end, read); read > uint64(len(contents)) {
			return io.ErrUnexpectedEOF
		}
		copy(buf, contents[off:])
		return nil
	})
	end = max(end, length)
	switch {
	case err == nil && length <= uint64(len(contents)):
		images = []codeobj.Found{{Kind: kind, Image: contents[:length]}}
	case end > uint64(len(contents)) && strings.HasPrefix(string(contents), elf.ELFMAG):
		damaged = fmt.Errorf("the file is cut off: it has %d bytes of %d or more", len(contents), end)
	}
	for _, image := range images {
		switch image.Kind {
		case codeobj.KindHSACO:
			if err := add(image.Image); err != nil && damaged == nil {
				damaged = err
			}
		case codeobj.KindBundle:
			entries, _ := codeobj.Entries(image.Image)
			for _, e := range entries {
				_ = add(e.Image) // an entry of the host is none
			}
		case codeobj.KindCompressedBundle:
			packed = true
		}
	}
	return all, packed, damaged
}

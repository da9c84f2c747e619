package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/input"
)

// mostCode is how many bytes of a file's code are read, since AMD's libraries may have gigabytes.
const mostCode = 256 << 20

// fatBinaries returns the offload bundles that a HIP compiler has put into a program, one per source file.
func fatBinaries(program string) (all [][]codeobj.Bundled) {
	f, err := input.OpenELF(program)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := f.Section(".hip_fatbin", mostCode)
	if err != nil {
		return nil
	}
	for _, image := range codeobj.Find(data) {
		if entries, err := codeobj.Entries(image.Image); err == nil {
			all = append(all, entries)
		}
	}
	return all
}

// knows reports whether HIP knows a chip, from the names in its constants. HIP 5 crashes on unknown GPUs. It returns
// true if the names can't be found.
func (r *rocm) knows(chip string) bool {
	f, err := input.OpenELF(r.hip)
	if err != nil {
		return true
	}
	defer f.Close()
	constants, err := f.Section(".rodata", mostCode)
	if err != nil {
		return true
	}
	named := func(chip string) bool {
		return bytes.Contains(constants, []byte(chip+"\x00")) || bytes.Contains(constants, []byte(chip+":"))
	}
	name, _, _ := strings.Cut(chip, ":")
	return named(name) || !named("gfx900")
}

// refuses says why HIP will not load or launch the code of a program and its own libraries, and what helps; empty if no
// reason is known.
func (r *rocm) refuses(program, chip string, env []string) string {
	for _, file := range withLibraries(program, env) {
		if why := r.refusesFile(file, chip); why != "" {
			return why
		}
	}
	return ""
}

// withLibraries returns a program and the libraries that it needs, directly and indirectly, from the folders that it or
// LD_LIBRARY_PATH names. Libraries in the system's folders are not part of the program.
func withLibraries(program string, env []string) []string {
	files := []string{program}
	for i := 0; i < len(files); i++ {
		o, err := readObject(files[i])
		if err != nil {
			continue
		}
		for _, name := range o.needs {
			for _, folder := range append(strings.Split(value(env, "LD_LIBRARY_PATH"), ":"), o.paths...) {
				file := filepath.Join(folder, name)
				if folder == "" || !exists(file) {
					continue
				}
				if !strings.HasPrefix(name, "libamdhip64.so") && !slices.Contains(files, file) {
					files = append(files, file)
				}
				break
			}
		}
	}
	return files
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func (r *rocm) refusesFile(program, chip string) string {
	want := codeobj.ParseTarget(chip)
	if want.XNACK == codeobj.FeatureAny {
		want.XNACK = codeobj.FeatureOff // the chips' default
	}
	for _, bundle := range fatBinaries(program) {
		var others []string
		fits := func(e codeobj.Bundled) bool {
			id := e.ID[strings.Index(e.ID, "-")+1:] // as in host-x86_64-unknown-linux, hipv4-amdgcn-amd-amdhsa--gfx906
			target := codeobj.ParseTarget(id)
			if len(e.Image) > 0 && !target.Runs(want) {
				others = append(others, target.String())
			}
			return target.Runs(want)
		}
		at := slices.IndexFunc(bundle, fits)
		if at < 0 && len(others) > 0 {
			return fmt.Sprintf("%s has code for %s and none for %s: mgpu run --rocm --chip %s", program, strings.Join(others, " and "), chip, others[0])
		}
		if at < 0 {
			continue
		}
		if why := r.unfit(bundle[at].Image); why != "" {
			return program + why
		}
	}
	for _, image := range constantObjects(program) {
		if o, err := codeobj.Parse(image); err == nil && o.ID.Runs(want) {
			if why := r.crashes(o); why != "" {
				return program + why
			}
		}
	}
	return ""
}

// constantObjects returns the code objects among a program's constants, which it may pass to hipModuleLoadData.
func constantObjects(program string) (all [][]byte) {
	f, err := input.OpenELF(program)
	if err != nil {
		return nil
	}
	defer f.Close()
	for _, section := range []string{".rodata", ".data.rel.ro", ".data"} {
		data, err := f.Section(section, mostCode)
		if err != nil {
			continue
		}
		for _, found := range codeobj.Find(data) {
			if found.Kind == codeobj.KindHSACO {
				all = append(all, found.Image)
			}
		}
	}
	return all
}

// mostNames is the number of names in a line.
const mostNames = 4

// listed returns the first few names as text.
func listed(names []string) string {
	if more := len(names) - mostNames; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), more)
	}
	return strings.Join(names, ", ")
}

// unfit says why HIP can't load or launch a code object; empty if no reason is known.
func (r *rocm) unfit(image []byte) string {
	var major, minor int
	if _, err := fmt.Sscanf(r.release(), "%d.%d", &major, &minor); err != nil {
		return ""
	}
	o, err := codeobj.Parse(image)
	if err != nil {
		return ""
	}
	if why := r.crashes(o); why != "" {
		return why
	}
	most := hip.NewestFormat(major, minor)
	if most == 0 || o.Version <= most {
		return ""
	}
	return fmt.Sprintf(" has code objects of version %d, and HIP %d.%d loads versions up to %d: compile with -mcode-object-version=%d",
		o.Version, major, minor, most, most)
}

// crashes names the kernels of a code object whose launch crashes HIP; empty if none is known.
func (r *rocm) crashes(o *codeobj.Object) string {
	var major, minor int
	_, _ = fmt.Sscanf(r.release(), "%d.%d", &major, &minor)
	kernels := hip.Crashes(major, minor, o)
	if len(kernels) == 0 {
		return ""
	}
	return fmt.Sprintf(" has kernels that HIP %d.%d crashes on when it launches them (%s): %s", major, minor, listed(kernels), hip.WhyCrashes)
}

package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/internal/input"
)

// ourMark is a function that this library has and MLIR's libraries do not.
const ourMark = "mgpuxGetStats"

// needed are functions that every lowered program needs.
var needed = []string{
	"mgpuModuleLoad", "mgpuModuleUnload", "mgpuModuleGetFunction", "mgpuLaunchKernel", "mgpuStreamCreate", "mgpuStreamDestroy",
	"mgpuStreamSynchronize", "mgpuStreamWaitEvent", "mgpuEventCreate", "mgpuEventDestroy", "mgpuEventSynchronize", "mgpuEventRecord",
	"mgpuMemAlloc", "mgpuMemFree", "mgpuMemcpy", "mgpuMemset32", "mgpuMemHostRegisterMemRef", "mgpuMemHostUnregisterMemRef", "mgpuSetDefaultDevice",
}

// object is the loader's information in a program or a library.
type object struct {
	header  elf.FileHeader
	soname  string
	needs   []string
	paths   []string // its RUNPATH or RPATH
	defines map[string]bool
	wants   []string // functions of the ABI that it uses and does not define
}

func readObject(path string) (*object, error) {
	f, err := input.OpenELF(path)
	if format := new(elf.FormatError); errors.As(err, &format) {
		return nil, errors.New("it is neither a program nor a library (no ELF file)")
	}
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	o := &object{header: f.FileHeader, defines: map[string]bool{}}
	if names, err := f.DynString(elf.DT_SONAME); err == nil && len(names) > 0 {
		o.soname = names[0]
	}
	o.needs, _ = f.ImportedLibraries()
	for _, tag := range []elf.DynTag{elf.DT_RUNPATH, elf.DT_RPATH} {
		paths, _ := f.DynString(tag)
		for _, p := range paths {
			for _, dir := range strings.Split(p, ":") {
				o.paths = append(o.paths, strings.NewReplacer("$ORIGIN", filepath.Dir(path), "${ORIGIN}", filepath.Dir(path)).Replace(dir))
			}
		}
		if o.paths != nil {
			break
		}
	}
	symbols, _ := f.DynamicSymbols()
	for _, s := range symbols {
		switch {
		case s.Section != elf.SHN_UNDEF:
			o.defines[s.Name] = true
		case strings.HasPrefix(s.Name, "mgpu"):
			o.wants = append(o.wants, s.Name)
		}
	}
	return o, nil
}

// library checks the file that mgpu run would preload.
func (d *doctor) library(path string, err error) {
	d.heading("library")
	if err != nil {
		d.wrong("%v", err)
		d.hint("make builds it; --library names it")
		return
	}
	o, err := readObject(path)
	if err != nil {
		d.wrong("%s: %v", path, err)
		return
	}
	version, unknown := libraryVersion(path)
	if unknown != nil {
		version = "unknown"
	}
	d.say("%s, SONAME %s, version %s", path, o.soname, version)
	for _, name := range needed {
		if !o.defines[name] {
			d.wrong("%s is not defined: this is not a runtime for lowered programs", name)
			return
		}
	}
	if !o.defines[ourMark] {
		d.wrong("it is another runtime: %s is not defined", ourMark)
	} else if unknown != nil {
		d.wrong("%v", unknown)
	} else if version != include.Version() {
		d.wrong("it is version %s, and this is mgpu %s: install both from one build", version, include.Version())
	}
	if o.soname != "" && o.soname != filepath.Base(path) {
		beside := filepath.Join(filepath.Dir(path), o.soname)
		if _, err := os.Stat(beside); err != nil {
			d.wrong("programs linked with it ask for %s, and there is none beside it", o.soname)
			d.hint("ln -s %s %s, or build with SONAME=%s", filepath.Base(path), beside, filepath.Base(path))
		}
	}
}

// program says which runtime a program would load.
func (d *doctor) program(path string) {
	d.heading("program " + path)
	o, err := readObject(path)
	if err != nil {
		d.wrong("%s: %v", path, err)
		return
	}
	for _, file := range preloads(d.env) {
		if p, err := readObject(file); err == nil && p.defines["mgpuLaunchKernel"] {
			d.found("LD_PRELOAD puts", file, p)
			return
		}
	}
	name := ""
	for _, n := range o.needs {
		if strings.HasPrefix(n, "libmlir_rocm_runtime.so") || strings.HasPrefix(n, "libmlir_cuda_runtime.so") {
			name = n
		}
	}
	if name == "" {
		if len(o.wants) > 0 {
			d.wrong("it calls %s and %d more, and asks for no library that has them", o.wants[0], len(o.wants)-1)
		} else if callsHIPAlone(path, d.env) {
			d.say("it " + runsOnROCm)
		} else {
			d.say("it is not linked with a runtime: runners take one from --shared-libs, Python programs open one")
		}
		return
	}
	for _, dir := range slices.Concat(d.directories(o.paths), systemDirectories) {
		file := filepath.Join(dir, name)
		p, err := readObject(file)
		if err != nil {
			continue
		}
		d.found(fmt.Sprintf("it asks for %s and gets", name), file, p)
		for _, want := range o.wants {
			if !p.defines[want] {
				d.wrong("it calls %s, which that library does not have", want)
			}
		}
		return
	}
	d.wrong("it asks for %s, which is in none of %s", name, strings.Join(slices.Concat(d.directories(o.paths), systemDirectories), ", "))
	d.hint("'mgpu run' preloads the library; or add its folder to LD_LIBRARY_PATH, or link with -Wl,-rpath (make install LINKS=NAME makes other names)")
}

// found says whose runtime a file is.
func (d *doctor) found(how, file string, p *object) {
	if p.defines[ourMark] {
		d.say("%s %s", how, file)
		return
	}
	d.wrong("%s %s, which is another runtime", how, file)
	d.hint("'mgpu run' preloads this library instead")
}

// directories returns the folders in which the loader looks before the system's folders.
func (d *doctor) directories(runpath []string) []string {
	var dirs []string
	if path := d.get("LD_LIBRARY_PATH"); path != "" {
		dirs = strings.Split(path, ":")
	}
	return append(dirs, runpath...)
}

// systemDirectories are the folders in which the loader looks last, unless its configuration names others.
var systemDirectories = []string{"/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"}

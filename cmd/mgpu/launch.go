package main

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
	"github.com/mgpu-runtime/mgpu/internal/input"
	"github.com/mgpu-runtime/mgpu/internal/report"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

// launchOptions are the flags of mgpu launch.
type launchOptions struct {
	grid, block         string
	shared              uint32
	args                []string
	driver, chip, check string
	profile             string
	report, annotate    string
	repeat              int
	timed               bool

	stdout, stderr io.Writer
}

func launchCommand() *cobra.Command {
	o := &launchOptions{}
	c := &cobra.Command{
		Use:   "launch [flags] file kernel",
		Short: "Launch one kernel of a file, with arrays from numpy files",
		Long: "Launch one kernel of a code object, an offload bundle, or a program or library that contains one.\n" +
			"Each --arg is an argument:\n" +
			"  f32:2.5                      a number: f32 f64 i8 to i64 u8 to u64, i1\n" +
			"  in:x.npy                     an array in device memory, with the file's contents\n" +
			"  out:f32[64x64]:y.npy         a new array, written to the file afterwards; to - as text\n" +
			"  inout:x.npy:y.npy            both\n" +
			"  tmp:f32[1024]                a new array, for the kernel alone\n" +
			"  memref-in:x.npy and so on    what MLIR makes of a memref: pointers, offset, sizes, strides\n" +
			"The status is 1 if the launch fails, or the checker finds something.",
		Args: arguments(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			o.stdout, o.stderr = c.OutOrStdout(), c.ErrOrStderr()
			return o.launch(args[0], args[1])
		},
	}
	f := c.Flags()
	f.StringVar(&o.grid, "grid", "1", "`WORKGROUPS` along x, y and z: 4 or 4,2,1")
	f.StringVar(&o.block, "block", "1", "`WORK-ITEMS` of a workgroup: 256 or 16,16,1")
	f.Uint32Var(&o.shared, "shared", 0, "`BYTES` of dynamic workgroup memory")
	f.StringArrayVar(&o.args, "arg", nil, "an `ARGUMENT` of the kernel; once for each, in order")
	f.StringVar(&o.driver, "driver", "", "use this `DRIVER`: hip or soft (default: hip if there is an AMD GPU)")
	f.StringVar(&o.chip, "chip", "", "make the software GPU this `CHIP` (default: that of the code object)")
	f.StringVar(&o.check, "check", "", "check the kernel for a `LIST` of mistakes: memory, race, uninit, ... or all")
	f.StringVar(&o.profile, "profile", "", "report on the kernel: a `LIST` of counts, fidelity or all")
	f.Lookup("profile").NoOptDefVal = "all"
	f.StringVar(&o.report, "report", "", "append each failure and finding to `FILE`, one JSON object per line")
	f.StringVar(&o.annotate, "annotate", "", "print failures and findings also for a `SERVICE` that shows them in the source: github")
	f.BoolVar(&o.timed, "time", false, "print how long a launch and its wait take")
	f.IntVar(&o.repeat, "repeat", 1, "launch `N` times")
	takes(c, "shared", "a number of bytes")
	takes(c, "repeat", "a number from 1 on")
	return c
}

func (o *launchOptions) launch(file, kernel string) error {
	grid, err := dimensions("grid", o.grid)
	if err != nil {
		return err
	}
	block, err := dimensions("block", o.block)
	if err != nil {
		return err
	}
	for _, f := range settingFlags {
		if value := o.flag(f.setting); value != "" {
			if err := wrongValue("--"+f.name, f.setting, value); err != nil {
				return err
			}
		}
	}
	if o.repeat < 1 {
		return wrongUse("--repeat=%d: expected a number from 1 on", o.repeat)
	}
	var values []argument
	for i, text := range o.args {
		v, err := parseArgument(text)
		if err != nil {
			return wrongUse("--arg %s (argument %d): %w", text, i+1, err)
		}
		values = append(values, v)
	}
	object, err := o.find(file, kernel)
	if err != nil {
		return err
	}
	found := o.findings()
	drv, err := o.open(codeobj.ParseTarget(object.Target), found)
	if err != nil {
		return err
	}
	l := launcher{drv: drv, kernel: &object.Kernels[slices.IndexFunc(object.Kernels, func(k codeobj.Kernel) bool { return k.Name == kernel })]}
	defer l.close()
	if err := l.run(object.image, values, driver.Launch{Grid: grid, Block: block, SharedBytes: o.shared}, o); err != nil {
		found.log.Failed(failureName(err), "mgpu launch: "+err.Error())
		return fmt.Errorf("%s: %w", file, err)
	}
	if p, ok := drv.(driver.Profiler); ok {
		text, kernels := p.Profile()
		if text != "" {
			_, _ = fmt.Fprintln(o.stderr, text)
		}
		found.log.Profiled(kernels)
	}
	if found.n > 0 {
		return fmt.Errorf("%s: kernel %s: the checker found something (reports: %d)", file, kernel, found.n)
	}
	return nil
}

// counted forwards the checker's reports, and counts them.
type counted struct {
	to  io.Writer
	log report.Log
	n   int
}

// findings makes the report's writer from the flags, or from the settings if a flag is not set.
func (o *launchOptions) findings() *counted {
	return &counted{to: o.stderr, log: report.Log{Getenv: o.setting, AddTo: hostfile.Add, Stderr: o.stderr}}
}

func (c *counted) Write(text []byte) (int, error) {
	c.n++
	c.log.Found(string(text))
	return c.to.Write(text)
}

// failureName returns the name of an error for a report.
func failureName(err error) string {
	var e *driver.Error
	if errors.As(err, &e) {
		return e.Code.Error()
	}
	return "launch"
}

func dimensions(flag, text string) (driver.Dim3, error) {
	d := [3]uint32{1, 1, 1}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || n == 0 || len(parts) > len(d) {
			return driver.Dim3{}, wrongUse("--%s=%s: expected one to three numbers from 1 on: 4 or 4,2,1", flag, text)
		}
		d[i] = uint32(n)
	}
	return driver.Dim3{X: d[0], Y: d[1], Z: d[2]}, nil
}

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

// flag returns the flag that sets a setting; empty if the flag is not set, or there is none.
func (o *launchOptions) flag(setting string) string {
	return map[string]string{"MGPU_SOFT_CHIP": o.chip, "MGPU_CHECK": o.check, "MGPU_PROFILE": o.profile, "MGPU_REPORT": o.report,
		"MGPU_ANNOTATE": o.annotate}[setting]
}

// setting returns a setting, or its flag.
func (o *launchOptions) setting(name string) string { return cmp.Or(o.flag(name), os.Getenv(name)) }

// driverName returns the driver that is asked for, else AMD's where there is a GPU and nothing needs the software GPU.
func (o *launchOptions) driverName() string {
	if name := cmp.Or(o.driver, os.Getenv("MGPU_DRIVER")); name != "" {
		return name
	}
	checks, _ := softgpu.AsksForChecks(o.setting("MGPU_CHECK"))
	profiles, _ := softgpu.AsksForProfile(o.setting("MGPU_PROFILE"))
	if !checks && !profiles && o.chip == "" && usable("/dev/kfd") == nil {
		return "hip"
	}
	return "soft"
}

// open opens the driver: the software GPU with the code object's chip, or AMD's.
func (o *launchOptions) open(target codeobj.Target, reports io.Writer) (driver.Driver, error) {
	wanted := o.driverName()
	get := func(name string) string {
		if value := o.setting(name); value != "" || name != "MGPU_SOFT_CHIP" {
			return value
		}
		return softChip(target)
	}
	if wanted == "soft" {
		options, err := softgpu.FromEnvironment(get)
		if err != nil {
			return nil, err
		}
		options.Reports, options.Stdout, options.Stderr = reports, o.stdout, o.stderr
		return softgpu.Open(options)
	}
	if o.check != "" {
		return nil, wrongUse("--check with driver %s: only the software GPU checks (--driver soft)", wanted)
	}
	if o.profile != "" {
		return nil, wrongUse("--profile with driver %s: only the software GPU profiles (--driver soft)", wanted)
	}
	for _, vendor := range vendors() {
		if vendor.name == wanted && wanted == "hip" {
			return vendor.open(get)
		}
	}
	return nil, wrongUse("driver %s: AMD code objects run on hip and soft", wanted)
}

// softChip returns the software GPU for which a code object is; empty, its default, if the code is for a family.
func softChip(target codeobj.Target) string {
	if strings.HasSuffix(target.Processor, "-generic") {
		return ""
	}
	return target.String()
}

// launcher launches one kernel on a driver.
type launcher struct {
	drv    driver.Driver
	kernel *codeobj.Kernel
	memory []driver.Ptr
	module driver.Module
}

func (l *launcher) close() {
	for _, p := range l.memory {
		_ = l.drv.MemFree(p)
	}
	if l.module != 0 {
		_ = l.drv.ModuleUnload(l.module)
	}
}

// run uploads the arrays, launches, and downloads the results.
func (l *launcher) run(image []byte, values []argument, launch driver.Launch, o *launchOptions) (err error) {
	// Drivers have a current device per thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var pinned runtime.Pinner // drivers get addresses as numbers
	defer pinned.Unpin()
	pinned.Pin(&image[0])
	if l.module, err = l.drv.ModuleLoad(image); err != nil {
		return err
	}
	f, err := l.drv.ModuleGetFunction(l.module, l.kernel.Name)
	if err != nil {
		return err
	}
	var words [][]byte
	for i := range values {
		if err := l.upload(&values[i], &pinned); err != nil {
			return fmt.Errorf("argument %s: %w", values[i].text, plain(err))
		}
		words = append(words, values[i].words()...)
	}
	if err := l.fits(words, values); err != nil {
		return err
	}
	params := make([]uintptr, len(words)+1) // never empty
	pinned.Pin(&params[0])
	for i, word := range words {
		pinned.Pin(&word[0])
		params[i] = address(word)
	}
	launch.Params = address(params)
	took := make([]time.Duration, o.repeat)
	for i := range took {
		start := time.Now()
		if err := l.drv.LaunchKernel(f, launch); err != nil {
			return err
		}
		if err := l.drv.StreamSynchronize(0); err != nil {
			return err
		}
		took[i] = time.Since(start)
	}
	if o.timed {
		slices.Sort(took)
		fmt.Fprintf(o.stderr, "%s: %v at best, %v median, of %s on %s\n", l.kernel.Name, took[0], took[len(took)/2], count.Of(len(took), "launch", "launches"), l.drv.DeviceName(0))
	}
	for i := range values {
		if err := l.download(&values[i], &pinned, o.stdout); err != nil {
			return fmt.Errorf("argument %s: %w", values[i].text, plain(err))
		}
	}
	return nil
}

// fits compares the words with the kernel's arguments.
func (l *launcher) fits(words [][]byte, values []argument) error {
	var wanted []codeobj.Arg
	for _, a := range l.kernel.Args {
		if !a.Hidden() {
			wanted = append(wanted, a)
		}
	}
	if len(words) != len(wanted) {
		return fmt.Errorf("kernel %s takes %s, and --arg gives %d: %s", l.kernel.Name, count.Of(len(wanted), "argument"), len(words), described(wanted))
	}
	for i, a := range wanted {
		if uint32(len(words[i])) != a.Size {
			return fmt.Errorf("kernel %s: argument %s has %s, and --arg gives %d: %s", l.kernel.Name, numbered(i, a), count.Of(a.Size, "byte"), len(words[i]), described(wanted))
		}
	}
	return nil
}

// numbered returns an argument's number, and its name if the code object has names.
func numbered(i int, a codeobj.Arg) string {
	if a.Name == "" {
		return strconv.Itoa(i + 1)
	}
	return fmt.Sprintf("%d (%s)", i+1, a.Name)
}

// described returns a list of arguments, such as "x: global_buffer, 8 bytes".
func described(args []codeobj.Arg) string {
	if len(args) == 0 {
		return "it takes none"
	}
	var text []string
	named := false
	for i, a := range args {
		text = append(text, fmt.Sprintf("%s: %s, %s", cmp.Or(a.Name, strconv.Itoa(i+1)), a.KindName, count.Of(a.Size, "byte")))
		named = named || a.Name != ""
	}
	if !named {
		text[len(text)-1] += " (the code object has no names; clang keeps them with -fno-discard-value-names)"
	}
	return strings.Join(text, "; ")
}

func (l *launcher) upload(v *argument, pinned *runtime.Pinner) error {
	if !v.isArray {
		return nil
	}
	if v.input != "" {
		if err := v.read(); err != nil {
			return err
		}
	}
	if len(v.array.Bytes) == 0 {
		return nil
	}
	size := uint64(len(v.array.Bytes))
	p, err := l.drv.MemAlloc(size)
	if err != nil {
		return err
	}
	l.memory = append(l.memory, p)
	v.address = uint64(p)
	if v.input == "" {
		return nil
	}
	pinned.Pin(&v.array.Bytes[0])
	if err := l.drv.Memcpy(p, driver.Ptr(address(v.array.Bytes)), size, 0); err != nil {
		return err
	}
	return l.drv.StreamSynchronize(0)
}

func (l *launcher) download(v *argument, pinned *runtime.Pinner, stdout io.Writer) error {
	if v.output == "" {
		return nil
	}
	if size := uint64(len(v.array.Bytes)); size > 0 {
		pinned.Pin(&v.array.Bytes[0])
		if err := l.drv.Memcpy(driver.Ptr(address(v.array.Bytes)), driver.Ptr(v.address), size, 0); err != nil {
			return err
		}
		if err := l.drv.StreamSynchronize(0); err != nil {
			return err
		}
	}
	if v.output == "-" {
		return v.print(stdout)
	}
	return hostfile.Replace(v.output, v.array.Write)
}

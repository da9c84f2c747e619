package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
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

package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

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
	if err := l.fits(words); err != nil {
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
func (l *launcher) fits(words [][]byte) error {
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

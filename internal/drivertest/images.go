package drivertest

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Images supplies the kernels of the suite. All pointers are to device memory. i is a work-item's global index along x.
//
//	empty()
//	fill(u32 *out, u32 value, u32 n)             out[i] = value for i < n
//	vector_add(f32 *a, f32 *b, f32 *out, u32 n)  out[i] = a[i] + b[i] for i < n
//	step(u32 *out, u32 n)                        out[i] = 3*out[i] + 1 for i < n
//	indices(u32 *out)                            for each work-item its 12 numbers: workgroup, workgroup size,
//	                                             work-item and grid size in work-items, each x y z; work-items are in the
//	                                             order of their global index, x fastest
//	spin_until(u32 *flag, u32 *reached, u32 n)   reached = 1; waits until flag is not 0, n rounds at most; reached = 2 if
//	                                             the flag was seen and 3 if not. One work-item.
//	meet(u32 *mine, u32 *other, u32 *out, u32 n) mine = 1, then as spin_until with other; out = 2 or 3. One work-item.
//	reverse_shared(u32 *data)                    reverses each workgroup's part of data through dynamic workgroup memory, 4 bytes per
//	                                             work-item
//	scalars(u8, u16, u32, u64, f32, f64, u64 *out)  out[0..5] = the arguments, the floating-point ones as bits
//	store_to(u64 address)                        stores 1, four bytes, to any address
type Images interface {
	// Kernels returns a code object with all kernels for the driver's devices.
	Kernels() []byte
	// Other returns a second code object with other bytes, whose kernel fill adds one to its value.
	Other() []byte
	// WrongArch returns a well-formed code object for another chip; nil if there is none.
	WrongArch() []byte
}

type images struct{ kernels, other, wrong []byte }

func (i images) Kernels() []byte   { return i.kernels }
func (i images) Other() []byte     { return i.other }
func (i images) WrongArch() []byte { return i.wrong }

//go:embed testdata/kernels.c
var source []byte

// compiler builds images for any vendor's devices without an SDK.
const compiler = "clang-22"

// made has, for each command line of the compiler, a function that returns its output.
var made sync.Map

// compile builds the kernels for a device, once. Variant 1 is Images.Other.
func compile(t testing.TB, device, variant string, arg ...string) []byte {
	t.Helper()
	path, err := exec.LookPath(compiler)
	if err != nil {
		t.Skipf("%s is not installed: no kernels for %s", compiler, device)
	}
	arg = append(arg, "-std=c11", "-ffreestanding", "-nogpulib", "-O2", "-DOTHER="+variant, "-x", "c", "-")
	once, _ := made.LoadOrStore(strings.Join(arg, "\x00"), sync.OnceValues(func() ([]byte, error) {
		image := filepath.Join(t.TempDir(), "image")
		cmd := exec.Command(path, append(arg, "-o", image)...)
		cmd.Stdin = bytes.NewReader(source)
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s %q: %w\n%s", compiler, arg, err, text)
		}
		return os.ReadFile(image)
	}))
	image, err := once.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(image)
}

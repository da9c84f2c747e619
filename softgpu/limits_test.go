package softgpu

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func faults(t *testing.T, chip, level string) []byte {
	t.Helper()
	return compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.Join("testdata", "faults.cl"), "-mcpu=" + chip, level})
}

func TestAStackThatOverflowsIsAnError(t *testing.T) {
	for _, chip := range []string{"gfx906", "gfx90a", "gfx942"} {
		for _, level := range []string{"-O0", "-O2"} {
			if level == "-O0" && chip != "gfx90a" {
				continue
			}
			t.Run(chip+level, func(t *testing.T) {
				d := open(t, Options{Chip: chip})
				image := faults(t, chip, level)
				p, v := buffer[uint32](t, d, 256)
				require.NoError(t, run(t, d, image, "nested", d1(4), d1(64), p, uint32(40)))
				assert.Equal(t, deep(40, 63), v[63])
				err := run(t, d, image, "nested", d1(4), d1(256), p, uint32(1<<20))
				require.ErrorIs(t, err, driver.LaunchFailure)
				assert.Regexp(t, `^'hipModuleLaunchKernel\(nested\)' failed with 'hipErrorIllegalAddress': kernel nested: stack overflow: `+
					`a work-item has \d+ bytes of private memory, address 0x\w+, in .(buffer|scratch)_(store|load)_dword.* at deep\+0x\w+, workgroup \(\d,0,0\), work-item \(\d+,0,0\), wave \d lane \d+$`, err.Error())
				require.NoError(t, run(t, d, image, "nested", d1(4), d1(64), p, uint32(3)))
				assert.Equal(t, deep(3, 63), v[63])
			})
		}
	}
}

func deep(n, x uint32) uint32 {
	below := uint32(0)
	if n > 0 {
		below = deep(n-1, x*3+1)
	}
	return below*5 + x + n&15
}

func TestAnIndexBehindPrivateMemoryIsAnError(t *testing.T) {
	for _, chip := range []string{"gfx906", "gfx942"} {
		d := open(t, Options{Chip: chip})
		p, _ := buffer[uint32](t, d, 256)
		for _, name := range []string{"index", "generic_index"} {
			image := faults(t, chip, "-O1")
			require.NoError(t, run(t, d, image, name, d1(1), d1(64), p, uint32(7)), name)
			err := run(t, d, image, name, d1(1), d1(64), p, uint32(100000))
			require.ErrorIs(t, err, driver.LaunchFailure, name)
			assert.Contains(t, err.Error(), "stack overflow: a work-item has ", name)
		}
	}
}

func TestWorkgroupsThatDoNotFitAreRefused(t *testing.T) {
	d := open(t, Options{})
	// Compilers see to it that what they allow fits; this says more than is true.
	key := []byte(".max_flat_workgroup_size\xcd")
	wide := patched(t, image(t), "poke", func(b []byte) { b[48] |= 31 })
	wide = bytes.ReplaceAll(wide, append(key, 1, 0), append(key, 4, 0))
	p, v := buffer[uint32](t, d, 64)
	require.NoError(t, run(t, d, wide, "poke", d1(1), d1(512), p, uint32(3), uint32(4)))
	assert.Equal(t, uint32(4), v[3])
	args := arguments(t, p, uint32(3), uint32(4))
	f := kernel(t, d, wide, "poke")
	err := d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1024), Params: args})
	require.ErrorIs(t, err, driver.InvalidValue)
	assert.Regexp(t, `^'hipModuleLaunchKernel\(poke\)' failed with 'hipErrorLaunchOutOfResources': kernel poke: workgroups of \(1024,1,1\) are 16 waves of 128 VGPRs each, `+
		`and a compute unit holds 8 of them$`, err.Error())

	err = d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(64), SharedBytes: 64<<10 + 1, Params: args})
	require.ErrorIs(t, err, driver.InvalidValue)
	assert.Contains(t, err.Error(), "65537 bytes of workgroup memory, 0 static and 65537 dynamic, where 65536 exist")
}

// TestGfx950HasMoreWorkgroupMemory launches with all of its 160 KiB, and with a byte more.
func TestGfx950HasMoreWorkgroupMemory(t *testing.T) {
	d := open(t, Options{Chip: "gfx950"})
	p, v := buffer[uint32](t, d, 64)
	f := kernel(t, d, image(t, "-mcpu=gfx950"), "poke")
	l := driver.Launch{Grid: d1(1), Block: d1(64), SharedBytes: 160 << 10, Params: arguments(t, p, uint32(3), uint32(4))}
	require.NoError(t, d.LaunchKernel(f, l))
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, uint32(4), v[3])
	l.SharedBytes++
	require.ErrorContains(t, d.LaunchKernel(f, l), "163841 dynamic, where 163840 exist")
}

// patched changes a kernel's descriptor.
func patched(t *testing.T, image []byte, name string, change func(descriptor []byte)) []byte {
	t.Helper()
	image = append([]byte(nil), image...)
	o, err := codeobj.Parse(image)
	require.NoError(t, err)
	b, err := o.Bytes(o.Kernel(name).DescriptorAddr, codeobj.DescriptorSize)
	require.NoError(t, err)
	change(b)
	return image
}

func TestDescriptorsThatAskForTooMuchAreRefused(t *testing.T) {
	d := open(t, Options{})
	le := binary.LittleEndian
	good := image(t)
	for want, change := range map[string]func([]byte){
		"kernel poke: 128 SGPRs, more than the 112 that a wave can have": func(b []byte) {
			le.PutUint32(b[48:], le.Uint32(b[48:])|15<<6)
		},
		"kernel poke: 1048576 bytes of scratch per work-item, more than the 131072 that a wave can have": func(b []byte) {
			le.PutUint32(b[4:], 1<<20)
		},
		"kernel poke: 131072 bytes of workgroup memory, more than the 65536 that exist": func(b []byte) {
			le.PutUint32(b, 128<<10)
		},
	} {
		m, err := d.ModuleLoad(patched(t, good, "poke", change))
		require.NoError(t, err)
		_, err = d.ModuleGetFunction(m, "vector_add")
		require.NoError(t, err, "another kernel")
		_, err = d.ModuleGetFunction(m, "poke")
		require.ErrorIs(t, err, driver.InvalidImage, want)
		assert.Contains(t, err.Error(), want)
	}
}

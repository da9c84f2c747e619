package softgpu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// reports collects what a checker writes.
type reports struct {
	mu   sync.Mutex
	text bytes.Buffer
	n    int
}

func (r *reports) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return r.text.Write(p)
}

func (r *reports) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// checked is a driver with a checker, and a program that is numbered as mgpu does it.
type checked struct {
	*testing.T
	*Driver
	said    *reports
	image   []byte
	call    uint64
	failure error // of the last launch
}

const checksSource = "testdata/checks.cl"

func newChecked(t *testing.T, modes string) *checked {
	t.Helper()
	c := &checked{T: t, said: &reports{}}
	c.image = compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash(checksSource), "-mcpu=gfx906", "-O1", "-g"})
	c.Driver = open(t, Options{Check: modes, Reports: c.said})
	c.CountCalls(func() uint64 { return c.call })
	return c
}

// memory allocates n words in a call of its own.
func (c *checked) memory(n int) driver.Ptr {
	c.call++
	p, err := c.MemAlloc(uint64(n) * 4)
	require.NoError(c, err)
	return p
}

// zeros is memory that is set to zero.
func (c *checked) zeros(n int) driver.Ptr {
	p := c.memory(n)
	c.call++
	require.NoError(c, c.Memset32(p, 0, uint64(n), 0))
	return p
}

func (c *checked) free(p driver.Ptr) {
	c.call++
	require.NoError(c, c.MemFree(p))
}

// launch runs a kernel of checks.cl.
func (c *checked) launch(name string, grid, block uint32, args ...any) {
	c.call++
	c.failure = run(c.T, c.Driver, c.image, name, d1(grid), d1(block), args...)
}

func long(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }

// markedLine is the line of checks.cl that is marked with a kernel's name.
func markedLine(t *testing.T, kernel string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(checksSource))
	require.NoError(t, err)
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasSuffix(line, "// "+kernel) {
			return fmt.Sprintf("checks.cl:%d", i+1)
		}
	}
	require.Fail(t, "no line is marked", kernel)
	return ""
}

func TestEveryKindOfMistakeIsReportedAndItsTwinIsNot(t *testing.T) {
	for _, x := range []struct {
		name, modes, kernel string
		wrong, right        func(c *checked)
		want                []string
		faults              bool // the launch fails, with or without a checker
	}{
		{"write past a block", "memory", "store_at",
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(100), long(100)) },
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(100), long(99)) },
			[]string{"mgpu check: memory: write of 4 bytes at 0x", "in kernel store_at, launched by mgpu call 2\n", "`global_store_dword ",
				"workgroup (0,0,0), work-item (5,0,0), wave 0 lane 5", "is 0 bytes past the end of the block of 400 bytes at 0x", ", allocated by mgpu call 1\n"}, true},
		{"write into the next block", "memory", "store_at",
			func(c *checked) { p := c.memory(64); c.memory(64); c.launch("store_at", 1, 64, p, long(80)) },
			func(c *checked) { p := c.memory(64); c.memory(64); c.launch("store_at", 1, 64, p, long(63)) },
			[]string{"is 64 bytes past the end of the block of 256 bytes at 0x", "allocated by mgpu call 1\n"}, true},
		{"write past a large block", "memory", "store_at",
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(1<<20), long(1<<20+1000)) },
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(1<<20), long(1<<20-1)) },
			[]string{"is 4000 bytes past the end of the block of 4194304 bytes at 0x"}, true},
		{"write over the end of an odd block", "memory", "store_byte_at",
			func(c *checked) {
				p, err := c.MemAlloc(6)
				require.NoError(c, err)
				c.launch("store_byte_at", 1, 64, p, long(6))
			},
			func(c *checked) {
				p, err := c.MemAlloc(6)
				require.NoError(c, err)
				c.launch("store_byte_at", 1, 64, p, long(5))
			},
			[]string{"write of 1 byte at 0x", "is 0 bytes past the end of the block of 6 bytes"}, true},
		{"read before a block", "memory", "load_at",
			func(c *checked) { c.launch("load_at", 1, 64, c.memory(100), long(-2), c.memory(1)) },
			func(c *checked) { c.launch("load_at", 1, 64, c.zeros(100), long(0), c.memory(1)) },
			[]string{"read of 4 bytes at 0x", "is 8 bytes before the block of 400 bytes at 0x"}, true},
		{"use after free", "memory", "store_at",
			func(c *checked) {
				p := c.memory(100)
				c.free(p)
				for range 100 {
					c.memory(100) // the slot is not used again at once
				}
				c.launch("store_at", 1, 64, p, long(9))
			},
			func(c *checked) { p := c.memory(100); c.launch("store_at", 1, 64, p, long(9)); c.free(p) },
			[]string{"is byte 36 of a block that was freed: the block of 400 bytes at 0x", "allocated by mgpu call 1, freed by mgpu call 2\n"}, true},
		{"use after free of a large block", "memory", "load_at",
			func(c *checked) {
				p := c.memory(1 << 20)
				c.free(p)
				c.launch("load_at", 1, 64, p, long(1<<19), c.memory(1))
			},
			func(c *checked) { c.launch("load_at", 1, 64, c.zeros(1<<20), long(1<<19), c.memory(1)) },
			[]string{"read of 4 bytes", "is byte 2097152 of a block that was freed: the block of 4194304 bytes", "allocated by mgpu call 1, freed by mgpu call 2\n"}, true},
		{"null pointer", "memory", "store_at",
			func(c *checked) { c.launch("store_at", 1, 64, driver.Ptr(0), long(3)) },
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(4), long(3)) },
			[]string{"write of 4 bytes at 0xc", "0xc is near no block of the device"}, true},
		{"atomic past a block", "memory", "add_at",
			func(c *checked) { c.launch("add_at", 1, 64, c.zeros(100), long(100)) },
			func(c *checked) { c.launch("add_at", 1, 64, c.zeros(100), long(99)) },
			[]string{"atomic update of 4 bytes at 0x", "`global_atomic_add "}, true},
		{"scalar read past a block", "memory", "scalar_load_at",
			func(c *checked) { c.launch("scalar_load_at", 1, 64, c.memory(100), long(101), c.memory(64)) },
			func(c *checked) { c.launch("scalar_load_at", 1, 64, c.zeros(100), long(99), c.memory(64)) },
			[]string{"read of 4 bytes at 0x", "`s_load_dword ", "workgroup (0,0,0), wave 0\n", "is 4 bytes past the end"}, true},
		{"generic pointer past a block", "memory", "generic_at",
			func(c *checked) { c.launch("generic_at", 1, 64, c.memory(100), long(100), uint32(0)) },
			func(c *checked) { c.launch("generic_at", 1, 64, c.memory(100), long(99), uint32(0)) },
			[]string{"write of 4 bytes at 0x", "`flat_store_dword "}, true},
		{"generic pointer beyond workgroup memory", "memory", "generic_at",
			func(c *checked) { c.launch("generic_at", 1, 64, c.memory(100), long(64), uint32(1)) },
			func(c *checked) { c.launch("generic_at", 1, 64, c.memory(100), long(63), uint32(1)) },
			[]string{"write of 4 bytes beyond workgroup memory, at offset 256", "`flat_store_dword ", "256 bytes, 256 static and 0 dynamic"}, false},
		{"host memory that is not registered", "strict", "store_at",
			func(c *checked) { p, _ := host(c.T, 64); c.launch("store_at", 1, 64, p, long(3)) },
			func(c *checked) {
				p, _ := host(c.T, 64)
				require.NoError(c, c.HostRegister(p, 256))
				c.launch("store_at", 1, 64, p, long(3))
			},
			[]string{"write of 4 bytes at 0x", "is host memory that is not registered"}, true},
		{"beyond registered host memory", "strict", "store_at",
			func(c *checked) {
				p, _ := host(c.T, 64)
				require.NoError(c, c.HostRegister(p, 128))
				c.launch("store_at", 1, 64, p, long(32))
			},
			func(c *checked) {
				p, _ := host(c.T, 64)
				require.NoError(c, c.HostRegister(p, 128))
				c.launch("store_at", 1, 64, p, long(31))
			},
			[]string{"write of 4 bytes at 0x"}, true},
		{"beyond workgroup memory", "memory", "local_at",
			func(c *checked) { c.launch("local_at", 1, 64, uint32(32), c.memory(64)) },
			func(c *checked) { c.launch("local_at", 1, 64, uint32(31), c.memory(64)) },
			[]string{"memory: write of 4 bytes beyond workgroup memory, at offset 128", "`ds_write_b32 ", "work-item (5,0,0)", "this workgroup has 128 bytes, 128 static and 0 dynamic"}, false},
		{"beyond private memory", "memory", "private_at",
			func(c *checked) { c.launch("private_at", 1, 64, uint32(1<<15), c.memory(64)) },
			func(c *checked) { c.launch("private_at", 1, 64, uint32(15), c.memory(64)) },
			[]string{"memory: write of 4 bytes beyond a work-item's private memory, at offset 131", "and 63 more of its wave"}, true},
		{"beyond private memory, by a constant", "memory", "private_after",
			func(c *checked) { c.launch("private_after", 1, 64, uint32(1<<15), c.memory(64)) },
			func(c *checked) { c.launch("private_after", 1, 64, ^uint32(2), c.memory(64)) },
			[]string{"memory: write of 4 bytes beyond a work-item's private memory, at offset 131", "offset:7"}, true},
		{"misaligned word", "memory", "store_at",
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(100)+2, long(3)) },
			func(c *checked) { c.launch("store_at", 1, 64, c.memory(100)+4, long(3)) },
			[]string{"misaligned: write of 4 bytes in global memory, at 0x", "which is not a multiple of 4", "is byte 14 of the block of 400 bytes"}, false},
		{"misaligned scalar", "memory", "scalar_load_at",
			func(c *checked) { c.launch("scalar_load_at", 1, 64, c.memory(100)+1, long(3), c.memory(64)) },
			func(c *checked) { c.launch("scalar_load_at", 1, 64, c.zeros(100)+4, long(3), c.memory(64)) },
			[]string{"misaligned: read of 4 bytes", "ignore the lowest two bits"}, false},
		{"misaligned atomic", "memory", "add_at",
			func(c *checked) { c.launch("add_at", 1, 64, c.zeros(100)+2, long(3)) },
			func(c *checked) {
				c.launch("add_at", 1, 64, c.zeros(100), long(3))
			},
			[]string{"misaligned: atomic update of 4 bytes in global memory, at 0x"}, true},
		{"bytes in an odd place", "align", "unaligned",
			func(c *checked) { c.launch("unaligned", 1, 64, c.zeros(100), long(1), c.memory(64)) },
			func(c *checked) { c.launch("unaligned", 1, 64, c.zeros(100), long(4), c.memory(64)) },
			[]string{"misaligned: read of 4 bytes", "all that this instruction accessed in this launch is that far off"}, false},
		{"pairs of words need no more than words do", "memory", "store_wide_at",
			func(c *checked) { c.launch("store_wide_at", 1, 64, c.memory(100)+2, long(3)) },
			func(c *checked) { c.launch("store_wide_at", 1, 64, c.memory(100)+4, long(3)) },
			[]string{"misaligned: write of 8 bytes", "not a multiple of 4"}, false},

		{"missing barrier", "race", "no_barrier",
			func(c *checked) { c.launch("no_barrier", 1, 128, c.memory(128), uint32(0)) },
			func(c *checked) { c.launch("no_barrier", 1, 128, c.memory(128), uint32(1)) },
			[]string{"race: write of 4 bytes in workgroup memory, at offset ", "`ds_read_b32 ", "no barrier or atomic orders it after the read at no_barrier+0x", "`ds_write_b32 ",
				"by workgroup (0,0,0), work-item ("}, false},
		{"barrier missing after a read", "race", "no_second_barrier",
			func(c *checked) { c.launch("no_second_barrier", 1, 128, c.memory(128), uint32(0)) },
			func(c *checked) { c.launch("no_second_barrier", 1, 128, c.memory(128), uint32(1)) },
			[]string{"race: read of 4 bytes in workgroup memory", "orders it after the write at"}, false},
		{"two waves write", "race", "both_write",
			func(c *checked) { c.launch("both_write", 1, 128, c.memory(128), uint32(1)) },
			func(c *checked) { c.launch("both_write", 1, 128, c.memory(128), uint32(0)) },
			[]string{"race: write of 4 bytes in workgroup memory, at offset 0", "orders it after the write at"}, false},
		{"two lanes write", "race", "lanes_write",
			func(c *checked) { c.launch("lanes_write", 1, 64, c.memory(64), uint32(1)) },
			func(c *checked) { c.launch("lanes_write", 1, 64, c.memory(64), uint32(0)) },
			[]string{"race: write of 4 bytes in workgroup memory, at offset 0", "work-item (32,0,0)", "it is one instruction with the write", "work-item (0,0,0)"}, false},
		{"a counter without atomics", "race", "counts",
			func(c *checked) { c.launch("counts", 1, 128, c.memory(128), uint32(0)) },
			func(c *checked) { c.launch("counts", 1, 128, c.memory(128), uint32(1)) },
			[]string{"race: "}, false},
		{"two workgroups write", "race", "groups_write",
			func(c *checked) { c.launch("groups_write", 4, 64, c.memory(1), uint32(1)) },
			func(c *checked) { c.launch("groups_write", 4, 64, c.memory(1), uint32(0)) },
			[]string{"race: write of 4 bytes in global memory, at 0x", "no atomic orders it after the write at groups_write+0x", "is byte 0 of the block of 4 bytes"}, false},
		{"a workgroup reads what another writes", "race", "neighbours",
			func(c *checked) { p := c.zeros(300); c.launch("neighbours", 4, 64, p, p, uint32(1)) },
			func(c *checked) { p := c.zeros(300); c.launch("neighbours", 4, 64, p, p, uint32(0)) },
			[]string{"race: ", " in global memory, at 0x", "no atomic orders it after the "}, false},
		{"a plain store beside atomics", "race", "initializes",
			func(c *checked) { c.launch("initializes", 4, 64, c.zeros(1), uint32(1)) },
			func(c *checked) { c.launch("initializes", 4, 64, c.zeros(1), uint32(0)) },
			[]string{"race: write of 4 bytes in global memory", "after the atomic update at initializes+0x"}, false},
		{"a result without an atomic", "race", "last_group",
			func(c *checked) { c.launch("last_group", 4, 64, c.zeros(4), c.zeros(1), c.zeros(1), uint32(0)) },
			func(c *checked) { c.launch("last_group", 4, 64, c.zeros(4), c.zeros(1), c.zeros(1), uint32(4)) },
			[]string{"race: read of 4 bytes in global memory", "after the write at last_group+0x"}, false},
		{"a sum without its lock", "race", "locked",
			func(c *checked) { c.launch("locked", 4, 64, c.zeros(1), c.zeros(1), uint32(0)) },
			func(c *checked) { c.launch("locked", 4, 64, c.zeros(1), c.zeros(1), uint32(1)) },
			[]string{"race: ", "locked+0x"}, false},
		{"a chain that does not wait", "race", "chained",
			func(c *checked) { c.launch("chained", 4, 64, c.zeros(4), c.zeros(4), uint32(0)) },
			func(c *checked) { c.launch("chained", 4, 64, c.zeros(4), c.zeros(4), uint32(1)) },
			[]string{"race: ", "chained+0x"}, false},

		{"memory that no code wrote", "uninit", "sums",
			func(c *checked) { c.launch("sums", 1, 64, c.memory(64), c.memory(64)) },
			func(c *checked) { c.launch("sums", 1, 64, c.zeros(64), c.memory(64)) },
			[]string{"uninit: read of 4 bytes of device memory that was never written, at 0x", "work-item (0,0,0)", "and 63 more of its wave", "is byte 0 of the block of 256 bytes", "allocated by mgpu call 1"}, false},
		{"memory that a kernel wrote in part", "uninit", "sums",
			func(c *checked) {
				p := c.memory(64)
				c.launch("fills", 1, 64, p, uint32(63))
				c.launch("sums", 1, 64, p, c.memory(64))
			},
			func(c *checked) {
				p := c.memory(64)
				c.launch("fills", 1, 64, p, uint32(64))
				c.launch("sums", 1, 64, p, c.memory(64))
			},
			[]string{"uninit: read of 4 bytes", "work-item (63,0,0), wave 0 lane 63\n", "is byte 252 of"}, false},
		{"memory that a copy wrote in part", "uninit", "sums",
			func(c *checked) {
				p, _ := buffer[uint32](c.T, c.Driver, 64)
				h, _ := host(c.T, 64)
				require.NoError(c, c.Memcpy(p, h, 128, 0))
				c.launch("sums", 1, 64, p, c.memory(64))
			},
			func(c *checked) {
				p, _ := buffer[uint32](c.T, c.Driver, 64)
				h, _ := host(c.T, 64)
				require.NoError(c, c.Memcpy(p, h, 256, 0))
				c.launch("sums", 1, 64, p, c.memory(64))
			},
			[]string{"is byte 128 of"}, false},
		{"a copy of memory that no code wrote", "uninit", "sums",
			func(c *checked) {
				from, to := c.memory(64), c.zeros(64)
				require.NoError(c, c.Memcpy(to, from, 256, 0))
				c.launch("sums", 1, 64, to, c.memory(64))
			},
			func(c *checked) {
				from, to := c.zeros(64), c.memory(64)
				require.NoError(c, c.Memcpy(to, from, 256, 0))
				c.launch("sums", 1, 64, to, c.memory(64))
			},
			[]string{"uninit: read of 4 bytes", "allocated by mgpu call 2"}, false},
		{"memory that the host wrote by itself", "uninit", "sums",
			func(c *checked) {
				p, v := buffer[uint32](c.T, c.Driver, 64)
				clear(v[:60])
				c.launch("sums", 1, 64, p, c.memory(64))
			},
			func(c *checked) {
				p, v := buffer[uint32](c.T, c.Driver, 64)
				clear(v)
				c.launch("sums", 1, 64, p, c.memory(64))
				shared, err := c.MemAllocManaged(256)
				require.NoError(c, err)
				c.launch("sums", 1, 64, shared, c.memory(64))
			},
			[]string{"work-item (60,0,0)", "is byte 240 of"}, false},
		{"bytes that no code wrote", "uninit", "bytes",
			func(c *checked) {
				p := c.memory(16)
				require.NoError(c, c.Memset16(p, 1, 31, 0))
				c.launch("bytes", 1, 64, p, c.memory(64))
			},
			func(c *checked) {
				p := c.memory(16)
				require.NoError(c, c.Memset16(p, 1, 32, 0))
				c.launch("bytes", 1, 64, p, c.memory(64))
			},
			[]string{"read of 1 byte of device memory that was never written", "work-item (62,0,0)", "and 1 more of its wave"}, false},
		{"vectors of which a part was written", "uninit", "four",
			func(c *checked) {
				p := c.memory(256)
				require.NoError(c, c.Memset32(p, 1, 255, 0))
				c.launch("four", 1, 64, p, c.memory(256))
			},
			func(c *checked) { c.launch("four", 1, 64, c.zeros(256), c.memory(256)) },
			[]string{"read of 16 bytes", "is byte 1020 of the block of 1024 bytes"}, false},
		{"atomic on memory that no code wrote", "uninit", "add_at",
			func(c *checked) { c.launch("add_at", 1, 64, c.memory(100), long(3)) },
			func(c *checked) { c.launch("add_at", 1, 64, c.zeros(100), long(3)) },
			[]string{"uninit: atomic update of 4 bytes"}, false},
		{"workgroup memory that no code wrote", "uninit", "local_sums",
			func(c *checked) { c.launch("local_sums", 1, 64, c.memory(64), uint32(60)) },
			func(c *checked) { c.launch("local_sums", 1, 64, c.memory(64), uint32(64)) },
			[]string{"uninit: read of 4 bytes of workgroup memory that no work-item wrote, at offset 252", "work-item (0,0,0)", "and 3 more of its wave"}, false},

		{"barrier in a branch", "sync", "divergent",
			func(c *checked) { c.launch("divergent", 1, 128, c.memory(128), uint32(100)) },
			func(c *checked) { c.launch("divergent", 1, 128, c.memory(128), uint32(128)) },
			[]string{"sync: barrier in divergent code: 36 of the wave's 64 work-items are there", "`s_barrier`", "workgroup (0,0,0), wave 1\n", "not there is workgroup (0,0,0), work-item (100,0,0)"}, false},
		{"barrier after work-items left", "race", "leaves",
			func(c *checked) { c.launch("leaves", 1, 128, c.memory(128), uint32(100)) },
			func(c *checked) { c.launch("leaves", 1, 128, c.memory(128), uint32(64)) }, // a whole wave
			[]string{"sync: barrier in divergent code: 36 of the wave's 64 work-items are there", "not there is workgroup (0,0,0), work-item (100,0,0)"}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newChecked(t, x.modes)
			x.wrong(c)
			text := c.said.String()
			for _, part := range append(x.want, markedLine(t, x.kernel)) {
				assert.Contains(t, text, part)
			}
			if x.faults {
				assert.ErrorIs(t, c.failure, driver.LaunchFailure)
			} else {
				assert.NoError(t, c.failure)
			}
			c = newChecked(t, x.modes)
			x.right(c)
			assert.Empty(t, c.said.String())
			assert.NoError(t, c.failure)
			c = newChecked(t, "all")
			x.right(c)
			assert.NotContains(t, c.said.String(), x.kernel+"+0x", "the right twin with everything on")
		})
	}
}

func TestProgramsThatSynchronizeByThemselvesAreRight(t *testing.T) {
	groups := 40
	if testing.Short() {
		groups = 8 // they wait for each other
	}
	for _, flags := range [][]string{{"-mcpu=gfx906", "-O2"}, {"-mcpu=gfx906", "-O1"}} {
		said := &reports{}
		d := open(t, Options{Check: "all", Reports: said})
		code := image(t, flags...)
		zeros := func(n int) driver.Ptr {
			p, v := buffer[uint32](t, d, n)
			clear(v)
			return p
		}
		require.NoError(t, run(t, d, code, "grid_barrier", d1(uint32(groups)), d1(64), zeros(1), uint32(groups), zeros(groups*64)))
		require.NoError(t, run(t, d, code, "lds_flag", d1(8), d1(128), zeros(1)))
		require.NoError(t, run(t, d, code, "lds_chain", d1(1), d1(256), zeros(256)))
		require.NoError(t, run(t, d, code, "count_up", d1(300), d1(256), zeros(1)))
		require.NoError(t, runShared(t, d, code, "copy_dynamic", d1(1), d1(128), 512, zeros(128), zeros(128), uint32(0)))
		n := zeros(64 * 64)
		require.NoError(t, run(t, d, code, "matmul", driver.Dim3{X: 4, Y: 4, Z: 1}, driver.Dim3{X: 16, Y: 16, Z: 1}, n, n, zeros(64*64), uint32(64)))
		assert.Empty(t, said.String(), "%v", flags)
	}
}

func TestWideAccessesOfNarrowDataAreNotMisaligned(t *testing.T) {
	c := newChecked(t, "memory")
	c.launch("unaligned", 1, 64, c.zeros(100), long(1), c.memory(64))
	assert.Empty(t, c.said.String(), "the pointer is aligned")
	c.launch("unaligned", 1, 64, c.zeros(100)+1, long(0), c.memory(64))
	assert.Contains(t, c.said.String(), "misaligned: read of 4 bytes", "the pointer is not, and nothing else is ever accessed")
}

func TestOneReportForEachPlaceAndASummaryOfAll(t *testing.T) {
	c := newChecked(t, "race,uninit")
	assert.Empty(t, c.CheckSummary(), "nothing was launched")
	for range 3 {
		c.launch("sums", 1, 64, c.memory(64), c.memory(64))
	}
	c.launch("no_barrier", 2, 128, c.memory(256), uint32(0))
	c.launch("groups_write", 4, 64, c.memory(1), uint32(1))
	text := c.said.String()
	assert.Equal(t, 1, strings.Count(text, "in kernel sums"))
	assert.Equal(t, 1, strings.Count(text, " bytes in workgroup memory, at offset "), "the write and the read are one pair of lines")
	assert.Equal(t, 1, strings.Count(text, "that no work-item wrote"), "the other wave's half")
	assert.Equal(t, strings.Count(text, "mgpu check: "), c.said.n, "one Write each")
	summary := strings.Split(c.CheckSummary(), "\n")
	assert.Regexp(t, `^mgpu check: race,uninit: 5 launches: race in 2 places, uninit in 2 places \(\d+ accesses in all\)$`, summary[0])
	assert.Regexp(t, `^    race: .*checks\.cl:\d+ and .*checks.cl:\d+: \d+ accesses of 2 instructions$`, summary[1])
	assert.Contains(t, c.CheckSummary(), "\n    uninit: "+onlyPlace(t, text, "in kernel sums")+": 3 accesses")
}

func TestReportsSayWhereTheProgramAllocated(t *testing.T) {
	c := newChecked(t, "memory")
	c.NameSites(func(site uintptr) string {
		if site == 5 {
			return "prog+0x5 (main), prog.c:7"
		}
		return ""
	})
	p, q := c.memory(100), c.memory(100)
	c.AllocatedAt(p, 5)
	c.AllocatedAt(q, 6)
	c.AllocatedAt(1, 5)
	c.launch("store_at", 1, 64, p, long(100))
	assert.Contains(t, c.said.String(), ", allocated by mgpu call 1 from prog+0x5 (main), prog.c:7\n")
	c.launch("add_at", 1, 64, q, long(100))
	assert.Contains(t, c.said.String(), ", allocated by mgpu call 2\n", "the line is unknown")
}

// onlyPlace is the line of the source in the report that has a word.
func onlyPlace(t *testing.T, reports, word string) string {
	t.Helper()
	_, rest, found := strings.Cut(reports, word)
	require.True(t, found)
	line := strings.Split(rest, "\n")[1]
	return line[strings.LastIndex(line, ", ")+2:]
}

// The kernel stores to the instruction at .Lhere, with all lanes and with one, and loads it.
func TestKernelsThatWriteOverTheirCodeAreReported(t *testing.T) {
	const address = "s_getpc_b64 s[0:1]\n.Lhere:\ns_nop 0\nv_mov_b32 v0, s0\nv_mov_b32 v1, s1\nglobal_load_dword v2, v[0:1], off\ns_waitcnt vmcnt(0)\n"
	for name, code := range map[string]string{
		"by a store":             "global_store_dword v[0:1], v2, off",
		"by a store of one lane": "s_mov_b64 exec, 4\nglobal_store_byte v[0:1], v2, off offset:3",
		"by an atomic":           "v_mov_b32 v3, 0\nglobal_atomic_or v[0:1], v3, off",
	} {
		t.Run(name, func(t *testing.T) {
			said := &reports{}
			d := open(t, Options{Check: "memory", Reports: said})
			require.NoError(t, run(t, d, text(t, address+code+"\ns_endpgm"), "k", d1(1), d1(64)))
			require.Regexp(t, `mgpu check: memory: (write|atomic update) of \d bytes? over the code of the kernel's own module, at 0x[0-9a-f]+, in kernel k
    at k\+0x[0-9a-f]+ .*
    by workgroup \(0,0,0\), work-item \([02],0,0\), wave 0 lane [02].*
    written over is k\+0x4 \(pc 0x4\): `+"`s_nop 0`", said.String())
			require.Equal(t, 1, said.n)
		})
	}
	said := &reports{}
	d := open(t, Options{Check: "memory", Reports: said})
	require.NoError(t, run(t, d, text(t, address+"s_endpgm"), "k", d1(1), d1(64)))
	require.Empty(t, said.String(), "a kernel that reads its code")
}

func TestWhereNothingIsFoundTheSummarySaysSo(t *testing.T) {
	c := newChecked(t, "all")
	c.launch("fills", 1, 64, c.memory(64), uint32(64))
	assert.Equal(t, "mgpu check: memory,race,uninit,wait: 1 launch: nothing found", c.CheckSummary())
	assert.Empty(t, c.said.String())
}

func TestTheFirstReportMayEndTheProcess(t *testing.T) {
	said, aborted := &reports{}, 0
	code := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash(checksSource), "-mcpu=gfx906", "-O1", "-g"})
	d := open(t, Options{Check: "memory", Reports: said, Abort: func() {
		aborted++
		assert.Contains(t, said.text.String(), "beyond workgroup memory", "the report is out by then")
	}})
	out, _ := buffer[uint32](t, d, 64)
	require.NoError(t, run(t, d, code, "local_at", d1(1), d1(64), uint32(31), out))
	assert.Zero(t, aborted)
	require.NoError(t, run(t, d, code, "local_at", d1(1), d1(64), uint32(1000), out))
	assert.Equal(t, 1, aborted)
}

func TestWhatIsNotAModeIsRefused(t *testing.T) {
	_, err := Open(Options{Check: "memory,rase"})
	require.Error(t, err)
	assert.Contains(t, err.Error(), `"rase" is not one of memory, strict, align, race, uninit, sync, wait, leak, all, off`)
}

func TestCheckingChangesNoResult(t *testing.T) {
	outcome := func(o Options) []uint32 {
		d := open(t, o)
		code := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash(checksSource), "-mcpu=gfx906", "-O1", "-g"})
		out, v := buffer[uint32](t, d, 128)
		require.NoError(t, run(t, d, code, "local_at", d1(1), d1(64), uint32(1000), out))
		require.NoError(t, run(t, d, code, "no_second_barrier", d1(1), d1(128), out+0, uint32(1)))
		return append([]uint32(nil), v...)
	}
	said := &reports{}
	assert.Equal(t, outcome(Options{}), outcome(Options{Check: "memory,race,uninit", Reports: said}))
	assert.Contains(t, said.String(), "beyond workgroup memory")
}

func TestSlotsAreUsedAgainInTheEnd(t *testing.T) {
	d := open(t, Options{Check: "memory", Reports: &reports{}})
	for range mostQuarantined + 5000 {
		p, err := d.MemAlloc(64)
		require.NoError(t, err)
		require.NoError(t, d.MemFree(p))
	}
	assert.LessOrEqual(t, len(d.heap.guards.quarantine), mostQuarantined)
	assert.Less(t, len(d.heap.regions), 2*mostQuarantined*512/chunkSize)
}

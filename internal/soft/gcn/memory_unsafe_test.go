package gcn

import (
	"encoding/binary"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// memoryWords encodes memory instructions of 64 bits by their fields.
func flatWords(t testing.TB, name string, seg, dst, addr, data, saddr, imm uint32, glc bool) []uint32 {
	row, _ := rowNamed(t, name)
	lo := 0x37<<26 | uint32(row.Op)<<18 | seg<<14 | imm&0x1fff
	if glc {
		lo |= 1 << 16
	}
	return []uint32{lo, addr | data<<8 | saddr<<16 | dst<<24}
}

const noSaddr = 0x7f

func global(t testing.TB, name string, dst, addr, data, saddr, imm uint32) []uint32 {
	return flatWords(t, name, segGlobal, dst, addr, data, saddr, imm, false)
}

func ds(t testing.TB, name string, dst, addr, data0, data1, imm uint32) []uint32 {
	row, _ := rowNamed(t, name)
	return []uint32{0x36<<26 | uint32(row.Op)<<17 | imm, addr | data0<<8 | data1<<16 | dst<<24}
}

func mubuf(t testing.TB, name string, data, addr, rsrc, soffset, imm uint32, offen, idxen, glc bool) []uint32 {
	row, _ := rowNamed(t, name)
	lo := 0x38<<26 | uint32(row.Op)<<18 | imm
	for n, on := range []bool{offen, idxen, glc} {
		if on {
			lo |= 1 << (12 + n)
		}
	}
	return []uint32{lo, addr | data<<8 | rsrc/4<<16 | soffset<<24}
}

func smem(t testing.TB, name string, data, base, imm uint32) []uint32 {
	row, _ := rowNamed(t, name)
	return []uint32{0x30<<26 | uint32(row.Op)<<18 | 1<<17 | data<<6 | base/2, imm}
}

// pointers fills a register pair with base + stride*lane.
func pointers(w *Wave, reg int, base, stride uint64) {
	for l := range w.V[reg] {
		a := base + stride*uint64(l)
		w.V[reg][l], w.V[reg+1][l] = uint32(a), uint32(a>>32)
	}
}

func counted(b []byte) {
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
}

func TestGlobalLoadsOfAllWidths(t *testing.T) {
	mem := &slices{}
	b, base := mem.add(64*16+16, false)
	counted(b)
	for _, c := range []struct {
		name string
		want func(at []byte, old uint32) []uint32
	}{
		{"global_load_ubyte", func(at []byte, _ uint32) []uint32 { return []uint32{uint32(at[0])} }},
		{"global_load_sbyte", func(at []byte, _ uint32) []uint32 { return []uint32{uint32(int8(at[0]))} }},
		{"global_load_ushort", func(at []byte, _ uint32) []uint32 { return []uint32{uint32(binary.LittleEndian.Uint16(at))} }},
		{"global_load_sshort", func(at []byte, _ uint32) []uint32 { return []uint32{uint32(int16(binary.LittleEndian.Uint16(at)))} }},
		{"global_load_short_d16", func(at []byte, old uint32) []uint32 {
			return []uint32{old&^0xffff | uint32(binary.LittleEndian.Uint16(at))}
		}},
		{"global_load_short_d16_hi", func(at []byte, old uint32) []uint32 {
			return []uint32{old&0xffff | uint32(binary.LittleEndian.Uint16(at))<<16}
		}},
		{"global_load_dword", wordsAt(1)}, {"global_load_dwordx2", wordsAt(2)},
		{"global_load_dwordx3", wordsAt(3)}, {"global_load_dwordx4", wordsAt(4)},
	} {
		for _, exec := range []uint64{full, 0xaaaaaaaaaaaaaaaa, 0} {
			w := newWave()
			w.Mem = mem
			w.SetExec(exec)
			pointers(w, 4, base+20, 16)
			for n := 20; n < 24; n++ {
				w.V[n].fill(0x11223344)
			}
			bind(t, global(t, c.name, 20, 4, 0, noSaddr, 0x1fff&uint32(0xffffffff-16)))(w) // offset -17
			require.Equal(t, Running, w.Status, "%s: %+v", c.name, w.Fault)
			for l := 0; l < 64; l++ {
				want := []uint32{0x11223344}
				if exec>>l&1 != 0 {
					want = c.want(b[l*16+3:], 0x11223344)
				}
				for n := range want {
					require.Equal(t, want[n], w.V[20+n][l], "%s lane %d", c.name, l)
				}
			}
		}
	}
}

func wordsAt(n int) func(at []byte, old uint32) []uint32 {
	return func(at []byte, _ uint32) (r []uint32) {
		for i := 0; i < n; i++ {
			r = append(r, binary.LittleEndian.Uint32(at[4*i:]))
		}
		return r
	}
}

func TestGlobalStoresOfAllWidths(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes int
		shift int
	}{
		{"global_store_byte", 1, 0}, {"global_store_byte_d16_hi", 1, 2}, {"global_store_short", 2, 0}, {"global_store_short_d16_hi", 2, 2},
		{"global_store_dword", 4, 0}, {"global_store_dwordx2", 8, 0}, {"global_store_dwordx3", 12, 0}, {"global_store_dwordx4", 16, 0},
	} {
		for _, exec := range []uint64{full, 0x5555555555555555} {
			mem := &slices{}
			b, base := mem.add(64*16, true)
			w := newWave()
			w.Mem = mem
			w.SetExec(exec)
			w.setS64(10, base)
			var data [16]byte
			for l := 0; l < 64; l++ {
				w.V[4][l] = uint32(l * 16)
			}
			for n := 0; n < 4; n++ {
				w.V[8+n].fill(0x04030201 + uint32(n)*0x04040404)
				binary.LittleEndian.PutUint32(data[4*n:], 0x04030201+uint32(n)*0x04040404)
			}
			bind(t, global(t, c.name, 0, 4, 8, 10, 0))(w)
			require.Equal(t, Running, w.Status, "%s: %+v", c.name, w.Fault)
			for l := 0; l < 64; l++ {
				want := make([]byte, 16)
				if exec>>l&1 != 0 {
					copy(want, data[c.shift:c.shift+c.bytes])
				}
				require.Equal(t, want, b[l*16:l*16+16], "%s lane %d", c.name, l)
			}
		}
	}
}

func TestLoadsMayOverwriteTheirAddress(t *testing.T) {
	mem := &slices{}
	b, base := mem.add(64*16, false)
	counted(b)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 16)
	bind(t, global(t, "global_load_dwordx4", 4, 4, 0, noSaddr, 0))(w)
	for l := 0; l < 64; l++ {
		for n := 0; n < 4; n++ {
			require.Equal(t, binary.LittleEndian.Uint32(b[l*16+4*n:]), w.V[4+n][l])
		}
	}
}

func TestFaultsNameLaneAndAddress(t *testing.T) {
	mem := &slices{}
	_, base := mem.add(64*4, false)
	_, other := mem.add(64*4, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	w.V[4][37], w.V[5][37] = 0x10, 0
	bind(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, Faulted, w.Status)
	require.Equal(t, 37, w.Fault.Lane)
	require.Equal(t, uint64(0x10), w.Fault.Addr)
	require.Contains(t, w.Fault.Reason, "read")

	w = newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	bind(t, global(t, "global_store_dword", 0, 4, 8, noSaddr, 0))(w)
	require.Equal(t, Faulted, w.Status, "memory that may only be read is not written")
	require.Contains(t, w.Fault.Reason, "write")

	w = newWave()
	w.Mem = mem
	pointers(w, 4, other, 4)
	bind(t, global(t, "global_load_dwordx2", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, Faulted, w.Status, "the last lane reaches over the end")
	require.Equal(t, 63, w.Fault.Lane)

	w = newWave()
	pointers(w, 4, base, 4)
	bind(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, Faulted, w.Status, "a wave without memory")

	w = newWave()
	w.Mem = mem
	w.SetExec(0)
	bind(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, Running, w.Status, "inactive lanes access nothing")
}

func TestWindowsAreLookedUpOnce(t *testing.T) {
	mem := &slices{}
	_, a := mem.add(64*4, true)
	_, b := mem.add(64*4, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, a, 4)
	pointers(w, 6, b, 4)
	loadA, loadB := bind(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0)), bind(t, global(t, "global_load_dword", 21, 6, 0, noSaddr, 0))
	for n := 0; n < 10; n++ {
		loadA(w)
		loadB(w)
	}
	require.Equal(t, 2, mem.lookups)
	w.ForgetWindows()
	loadA(w)
	require.Equal(t, 3, mem.lookups)
}

func TestAtomics(t *testing.T) {
	for _, c := range []struct {
		name            string
		wide            bool
		old, data, want uint64
	}{
		{"swap", false, 1, 2, 2}, {"add", false, 0xffffffff, 2, 1}, {"sub", false, 1, 2, 0xffffffff},
		{"smin", false, 0xffffffff, 2, 0xffffffff}, {"umin", false, 0xffffffff, 2, 2}, {"smax", false, 0xffffffff, 2, 2},
		{"umax", false, 0xffffffff, 2, 0xffffffff}, {"and", false, 6, 3, 2}, {"or", false, 6, 3, 7}, {"xor", false, 6, 3, 5},
		{"inc", false, 5, 5, 0}, {"inc", false, 4, 5, 5}, {"dec", false, 0, 5, 5}, {"dec", false, 9, 5, 5}, {"dec", false, 3, 5, 2},
		{"add_x2", true, 0xffffffff, 1, 1 << 32}, {"smin_x2", true, full, 1, full}, {"umax_x2", true, full, 1, full},
		{"swap_x2", true, 5, 1 << 40, 1 << 40}, {"xor_x2", true, 1 << 40, 1 << 41, 3 << 40},
	} {
		for _, segment := range []string{"global", "flat"} {
			mem := &slices{}
			b, base := mem.add(64*8, true)
			w := newWave()
			w.Mem = mem
			w.SetExec(1 << 5)
			pointers(w, 4, base, 8)
			w.V[8].fill(uint32(c.data))
			w.V[9].fill(uint32(c.data >> 32))
			binary.LittleEndian.PutUint64(b[5*8:], c.old)
			seg, saddr := uint32(segGlobal), uint32(noSaddr)
			if segment == "flat" {
				seg, saddr = segFlat, 0
			}
			bind(t, flatWords(t, segment+"_atomic_"+c.name, seg, 20, 4, 8, saddr, 0, true))(w)
			require.Equal(t, Running, w.Status, "%+v: %+v", c, w.Fault)
			require.Equal(t, c.want, binary.LittleEndian.Uint64(b[5*8:]), "%s %+v", segment, c)
			require.Equal(t, uint32(c.old), w.V[20][5], "%s %+v", segment, c)
			require.Zero(t, w.V[20][4])
			if c.wide {
				require.Equal(t, uint32(c.old>>32), w.V[21][5])
			}
		}
	}
}

func TestCompareAndSwap(t *testing.T) {
	mem := &slices{}
	b, base := mem.add(64*4, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	for l := 0; l < 64; l++ {
		binary.LittleEndian.PutUint32(b[4*l:], uint32(l%2))
	}
	w.V[8].fill(99)
	w.V[9].fill(1)
	bind(t, flatWords(t, "global_atomic_cmpswap", segGlobal, 20, 4, 8, noSaddr, 0, true))(w)
	for l := 0; l < 64; l++ {
		want := uint32(0)
		if l%2 == 1 {
			want = 99
		}
		require.Equal(t, want, binary.LittleEndian.Uint32(b[4*l:]))
		require.Equal(t, uint32(l%2), w.V[20][l])
	}
	w.SetExec(1)
	pointers(w, 4, base+1, 4)
	bind(t, flatWords(t, "global_atomic_cmpswap", segGlobal, 20, 4, 8, noSaddr, 0, false))(w)
	require.Equal(t, Faulted, w.Status)
	require.Contains(t, w.Fault.Reason, "aligned")
}

func TestAtomicsOfManyWavesAddUp(t *testing.T) {
	mem := &slices{}
	b, base := mem.add(8, true)
	step := bind(t, flatWords(t, "global_atomic_add", segGlobal, 0, 4, 8, noSaddr, 0, false))
	var all sync.WaitGroup
	for n := 0; n < 4; n++ {
		all.Add(1)
		go func() {
			defer all.Done()
			w := newWave()
			w.Mem = &slices{parts: mem.parts}
			pointers(w, 4, base, 0)
			w.V[8].fill(1)
			for k := 0; k < 50; k++ {
				step(w)
			}
		}()
	}
	all.Wait()
	require.Equal(t, uint32(4*64*50), binary.LittleEndian.Uint32(b))
}

func TestScalarLoads(t *testing.T) {
	mem := &slices{}
	b, base := mem.add(256, false)
	counted(b)
	for name, count := range map[string]int{"s_load_dword": 1, "s_load_dwordx2": 2, "s_load_dwordx4": 4, "s_load_dwordx8": 8, "s_load_dwordx16": 16} {
		w := newWave()
		w.Mem = mem
		w.setS64(2, base+8)
		bind(t, smem(t, name, 16, 2, 16))(w)
		require.Equal(t, Running, w.Status)
		for n := 0; n < count; n++ {
			require.Equal(t, binary.LittleEndian.Uint32(b[24+4*n:]), w.S[16+n], "%s word %d", name, n)
		}
		require.Zero(t, w.S[16+count])
	}
	w := newWave()
	w.Mem = mem
	w.setS64(2, base+256)
	bind(t, smem(t, "s_load_dword", 16, 2, 0))(w)
	require.Equal(t, Faulted, w.Status)
	require.Equal(t, -1, w.Fault.Lane)
	require.Equal(t, base+256, w.Fault.Addr)
}

func TestLDS(t *testing.T) {
	w := newWave()
	w.LDS = make([]byte, 64*16)
	for l := 0; l < 64; l++ {
		w.V[4][l], w.V[8][l], w.V[9][l], w.V[10][l], w.V[11][l] = uint32(l*16), uint32(l), uint32(l+100), uint32(l+200), uint32(l+300)
	}
	bind(t, ds(t, "ds_write_b128", 0, 4, 8, 0, 0))(w)
	bind(t, ds(t, "ds_read_b64", 20, 4, 0, 0, 8))(w)
	require.Equal(t, w.V[10], w.V[20])
	require.Equal(t, w.V[11], w.V[21])
	bind(t, ds(t, "ds_read2_b32", 20, 4, 0, 0, 1|3<<8))(w)
	require.Equal(t, w.V[9], w.V[20])
	require.Equal(t, w.V[11], w.V[21])
	bind(t, ds(t, "ds_write_b8", 0, 4, 9, 0, 3))(w)
	bind(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 0))(w)
	require.Equal(t, uint32(7|107<<24), w.V[20][7])
	bind(t, ds(t, "ds_read_i8", 20, 4, 0, 0, 3))(w)
	require.Equal(t, int32(int8(100+40-256)), int32(w.V[20][40]))
	bind(t, ds(t, "ds_write2_b32", 0, 4, 8, 9, 2|0<<8))(w)
	bind(t, ds(t, "ds_read_b96", 20, 4, 0, 0, 0))(w)
	require.Equal(t, w.V[9], w.V[20])
	require.Equal(t, w.V[8], w.V[22])

	// The stride-64 forms count 64 elements.
	w.V[12].fill(0)
	bind(t, ds(t, "ds_read2st64_b32", 20, 12, 0, 0, 0|1<<8))(w)
	require.Equal(t, binary.LittleEndian.Uint32(w.LDS[256:]), w.V[21][0])
}

func TestLDSBeyondItsEnd(t *testing.T) {
	w := newWave()
	w.LDS = make([]byte, 128)
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * 4)
		w.V[8][l] = uint32(l + 1)
	}
	bind(t, ds(t, "ds_write_b32", 0, 4, 8, 0, 0))(w)
	w.V[20].fill(5)
	bind(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 0))(w)
	require.Equal(t, Running, w.Status)
	for l := range w.V[20] {
		want := uint32(0)
		if l < 32 {
			want = uint32(l + 1)
		}
		require.Equal(t, want, w.V[20][l], "lane %d", l)
	}
	w.V[4].fill(math.MaxUint32)
	bind(t, ds(t, "ds_add_rtn_u32", 20, 4, 8, 0, 4))(w)
	require.Equal(t, Lanes{}, w.V[20], "the sum of address and offset does not wrap")
	w.LDS = nil
	bind(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 0))(w)
	require.Equal(t, Lanes{}, w.V[20])
}

func TestLDSAtomics(t *testing.T) {
	w := newWave()
	w.LDS = make([]byte, 64)
	w.V[8].fill(1)
	bind(t, ds(t, "ds_add_rtn_u32", 20, 4, 8, 0, 8))(w)
	for l := range w.V[20] {
		require.Equal(t, uint32(l), w.V[20][l], "lanes go in order")
	}
	require.Equal(t, uint32(64), binary.LittleEndian.Uint32(w.LDS[8:]))
	w.V[8].fill(bitsOf(0.5))
	bind(t, ds(t, "ds_add_f32", 0, 4, 8, 0, 16))(w)
	require.Equal(t, bitsOf(32), binary.LittleEndian.Uint32(w.LDS[16:]))
	w.V[8].fill(64) // compared with
	w.V[9].fill(7)
	bind(t, ds(t, "ds_cmpst_b32", 0, 4, 8, 9, 8))(w)
	require.Equal(t, uint32(7), binary.LittleEndian.Uint32(w.LDS[8:]))
	w.V[8].fill(3) // mask
	w.V[9].fill(0x40)
	bind(t, ds(t, "ds_mskor_b32", 0, 4, 8, 9, 8))(w)
	require.Equal(t, uint32(0x44), binary.LittleEndian.Uint32(w.LDS[8:]))
}

func TestLaneExchangeByAddress(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l], w.V[8][l] = uint32((63-l)*4), uint32(l+100)
	}
	w.SetExec(full &^ (1 << 10))
	bind(t, ds(t, "ds_bpermute_b32", 20, 4, 8, 0, 0))(w)
	require.Equal(t, uint32(163), w.V[20][0])
	require.Equal(t, uint32(0), w.V[20][53], "from an inactive lane")
	bind(t, ds(t, "ds_permute_b32", 21, 4, 8, 0, 0))(w)
	require.Equal(t, uint32(163), w.V[21][0])
	require.Equal(t, uint32(0), w.V[21][53], "that nothing is sent to")
	w.SetExec(full)
	bind(t, ds(t, "ds_swizzle_b32", 22, 8, 0, 0, 0x8000|0x1b))(w) // quads reversed
	require.Equal(t, uint32(103), w.V[22][0])
	bind(t, ds(t, "ds_swizzle_b32", 22, 8, 0, 0, 0x1f|1<<10))(w) // xor 1
	require.Equal(t, uint32(101), w.V[22][0])
	require.Equal(t, uint32(132), w.V[22][33])
}

// privateWave has scratch memory, the resource that kernels get in s[0:3], and flat_scratch.
func privateWave(words int) (*Wave, []byte) {
	mem := &slices{}
	b, base := mem.add(words*wordRow, true)
	w := newWave()
	w.Mem = mem
	w.S[0], w.S[1] = uint32(base), uint32(base>>32)|1<<31
	w.S[2], w.S[3] = math.MaxUint32, 3<<21|1<<23
	w.setS64(FlatScratchLo, base)
	w.PrivateBase, w.SharedBase = 0x2000000000000, 0x1000000000000
	return w, b
}

func TestPrivateMemoryByBufferAndFlatIsTheSame(t *testing.T) {
	w, b := privateWave(16)
	for l := range w.V[4] {
		w.V[4][l], w.V[5][l], w.V[6][l], w.V[7][l] = uint32(l), uint32(l+100), uint32(l+200), uint32(l+300)
	}
	bind(t, mubuf(t, "buffer_store_dwordx4", 4, 0, 0, 128, 8, false, false, false))(w)
	require.Equal(t, Running, w.Status, "%+v", w.Fault)
	for l := 0; l < 64; l++ {
		for n := 0; n < 4; n++ {
			require.Equal(t, w.V[4+n][l], binary.LittleEndian.Uint32(b[(2+n)*wordRow+l*4:]), "lane %d word %d", l, n)
		}
	}
	pointers(w, 8, w.PrivateBase+8, 0)
	bind(t, flatWords(t, "flat_load_dwordx4", segFlat, 20, 8, 0, 0, 0, false))(w)
	require.Equal(t, Running, w.Status, "%+v", w.Fault)
	require.Equal(t, w.V[4:8], w.V[20:24])
	w.V[12].fill(12)
	bind(t, flatWords(t, "scratch_load_dwordx2", segScratch, 24, 12, 0, noSaddr, 0, false))(w)
	require.Equal(t, w.V[5:7], w.V[24:26])
	bind(t, mubuf(t, "buffer_load_dword", 26, 12, 0, 128, 4, true, false, false))(w)
	require.Equal(t, w.V[6], w.V[26])
	w.S[10] = 64 * 16 // a stack pointer: unswizzled
	bind(t, mubuf(t, "buffer_load_dword", 27, 0, 0, 10, 4, false, false, false))(w)
	require.Equal(t, w.V[7], w.V[27])
	bind(t, mubuf(t, "buffer_store_byte", 4, 12, 0, 128, 2, true, false, false))(w)
	require.Equal(t, byte(9), b[3*wordRow+9*4+2])
}

func TestFlatAddressesPickTheirMemoryByLane(t *testing.T) {
	w, _ := privateWave(4)
	mem := w.Mem.(*slices)
	b, base := mem.add(256, true)
	w.LDS = make([]byte, 256)
	for l := 0; l < 64; l++ {
		a := base + uint64(l)*4
		switch l % 3 {
		case 1:
			a = w.SharedBase + uint64(l)*4
		case 2:
			a = w.PrivateBase + 4
		}
		w.V[4][l], w.V[5][l], w.V[8][l] = uint32(a), uint32(a>>32), uint32(l+1)
	}
	bind(t, flatWords(t, "flat_store_dword", segFlat, 0, 4, 8, 0, 0, false))(w)
	require.Equal(t, Running, w.Status, "%+v", w.Fault)
	require.Equal(t, uint32(4), binary.LittleEndian.Uint32(b[12:]))
	require.Equal(t, uint32(5), binary.LittleEndian.Uint32(w.LDS[16:]))
	bind(t, flatWords(t, "flat_load_dword", segFlat, 4, 4, 0, 0, 0, false))(w)
	require.Equal(t, w.V[8], w.V[4])
}

func TestBuffersCheckTheirRange(t *testing.T) {
	mem := &slices{}
	b, base := mem.add(1024, true)
	counted(b)
	w := newWave()
	w.Mem = mem
	w.S[4], w.S[5], w.S[6], w.S[7] = uint32(base), uint32(base>>32), 100, 0
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * 4)
		w.V[8][l] = 0xffffffff
	}
	w.V[20].fill(9)
	bind(t, mubuf(t, "buffer_load_dword", 20, 4, 4, 128, 0, true, false, false))(w)
	for l := range w.V[20] {
		want := uint32(0)
		if l < 25 {
			want = binary.LittleEndian.Uint32(b[4*l:])
		}
		require.Equal(t, want, w.V[20][l], "lane %d", l)
	}
	bind(t, mubuf(t, "buffer_store_dword", 8, 4, 4, 128, 0, true, false, false))(w)
	require.Equal(t, byte(0xff), b[99])
	require.NotEqual(t, byte(0xff), b[100])
	require.Equal(t, Running, w.Status)

	// A structured buffer: an index times the stride.
	w.S[5], w.S[6] = uint32(base>>32)|8<<16, 60
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
	}
	bind(t, mubuf(t, "buffer_load_dword", 20, 4, 4, 128, 4, false, true, false))(w)
	require.Equal(t, binary.LittleEndian.Uint32(b[59*8+4:]), w.V[20][59])
	require.Zero(t, w.V[20][60], "records are counted in strides")
	w.V[8].fill(1)
	bind(t, mubuf(t, "buffer_atomic_add", 8, 4, 4, 128, 4, false, true, true))(w)
	require.Equal(t, w.V[20], w.V[8], "the data register receives the old value")
	require.Equal(t, w.V[20][59]+1, binary.LittleEndian.Uint32(b[59*8+4:]))
}

func TestPrivateAccessesThatAreNotAligned(t *testing.T) {
	w, b := privateWave(8)
	for l := range w.V[4] {
		w.V[4][l], w.V[5][l] = 0x04030201+uint32(l), 0x08070605
	}
	bind(t, mubuf(t, "buffer_store_dwordx2", 4, 0, 0, 128, 6, false, false, false))(w)
	require.Equal(t, Running, w.Status, "%+v", w.Fault)
	require.Equal(t, byte(2), b[1*wordRow+1*4+2], "low byte of lane 1")
	require.Equal(t, byte(3), b[2*wordRow+1*4], "third byte, in the next word")
	require.Equal(t, byte(8), b[3*wordRow+1*4+1])
	bind(t, mubuf(t, "buffer_load_dwordx2", 20, 0, 0, 128, 6, false, false, false))(w)
	require.Equal(t, w.V[4:6], w.V[20:22])
	pointers(w, 8, w.PrivateBase+6, 0)
	bind(t, flatWords(t, "flat_load_dwordx2", segFlat, 8, 8, 0, 0, 0, false))(w)
	require.Equal(t, w.V[4:6], w.V[8:10])
	w.V[12].fill(7)
	bind(t, flatWords(t, "scratch_store_short", segScratch, 0, 12, 5, noSaddr, 0, false))(w)
	bind(t, flatWords(t, "scratch_load_ushort", segScratch, 22, 12, 0, noSaddr, 0, false))(w)
	require.Equal(t, uint32(0x0605), w.V[22][9])
	require.Equal(t, byte(5), b[1*wordRow+9*4+3])
	require.Equal(t, byte(6), b[2*wordRow+9*4])
}

func TestFlatAccessesOfWholeWaves(t *testing.T) {
	w, _ := privateWave(4)
	mem := w.Mem.(*slices)
	b, base := mem.add(64*8, true)
	w.LDS = make([]byte, 64*8)
	for l := range w.V[8] {
		w.V[8][l], w.V[9][l] = uint32(l+1), uint32(l+1000)
	}
	store := bind(t, flatWords(t, "flat_store_dwordx2", segFlat, 0, 4, 8, 0, 0, false))
	load := bind(t, flatWords(t, "flat_load_dwordx2", segFlat, 4, 4, 0, 0, 0, false))
	for _, at := range []uint64{base, base, w.SharedBase, w.PrivateBase} {
		pointers(w, 4, at, 8)
		if at == w.PrivateBase {
			pointers(w, 4, at, 0)
		}
		store(w)
		load(w)
		require.Equal(t, Running, w.Status, "%+v", w.Fault)
		require.Equal(t, w.V[8:10], w.V[4:6])
	}
	require.Equal(t, uint32(1063), binary.LittleEndian.Uint32(b[63*8+4:]))
	require.Equal(t, b, w.LDS)
	pointers(w, 4, w.SharedBase+8, 8)
	load(w)
	require.Equal(t, uint32(0), w.V[4][63], "beyond the end of LDS")
	require.Equal(t, uint32(64), w.V[4][62])
	pointers(w, 4, base+8, 8)
	load(w)
	require.Equal(t, Faulted, w.Status)
	require.Equal(t, 63, w.Fault.Lane)
}

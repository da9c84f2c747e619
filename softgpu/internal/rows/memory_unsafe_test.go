package rows

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
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
	return flatWords(t, name, encoding.SegGlobal, dst, addr, data, saddr, imm, false)
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
func pointers(w *wave.Wave, reg int, base, stride uint64) {
	for l := range w.V[reg] {
		a := base + stride*uint64(l)
		w.V[reg][l], w.V[reg+1][l] = uint32(a), uint32(a>>32)
	}
}

func TestGlobalLoadsOfAllWidths(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(64*16+16, false)
	samples.Fill(b)
	for _, c := range []struct {
		name string
		want func(at []byte) []uint32
	}{
		{"global_load_ubyte", func(at []byte) []uint32 { return []uint32{uint32(at[0])} }},
		{"global_load_sbyte", func(at []byte) []uint32 { return []uint32{uint32(int8(at[0]))} }},
		{"global_load_ushort", func(at []byte) []uint32 { return []uint32{uint32(binary.LittleEndian.Uint16(at))} }},
		{"global_load_sshort", func(at []byte) []uint32 { return []uint32{uint32(int16(binary.LittleEndian.Uint16(at)))} }},
		{"global_load_dword", wordsAt(1)}, {"global_load_dwordx2", wordsAt(2)},
		{"global_load_dwordx3", wordsAt(3)}, {"global_load_dwordx4", wordsAt(4)},
	} {
		for _, exec := range []uint64{alu.Full, 0xaaaaaaaaaaaaaaaa, 0} {
			w := newWave()
			w.Mem = mem
			w.SetExec(exec)
			pointers(w, 4, base+20, 16)
			for n := 20; n < 24; n++ {
				w.V[n].Fill(0x11223344)
			}
			stepOf(t, global(t, c.name, 20, 4, 0, noSaddr, 0x1fff&uint32(0xffffffff-16)))(w) // offset -17
			require.Equal(t, wave.Running, w.Status, "%s: %+v", c.name, w.Fault)
			for l := 0; l < 64; l++ {
				want := []uint32{0x11223344}
				if exec>>l&1 != 0 {
					want = c.want(b[l*16+3:])
				}
				for n := range want {
					require.Equal(t, want[n], w.V[20+n][l], "%s lane %d", c.name, l)
				}
			}
		}
	}
}

func wordsAt(n int) func(at []byte) []uint32 {
	return func(at []byte) (r []uint32) {
		for i := 0; i < n; i++ {
			r = append(r, binary.LittleEndian.Uint32(at[4*i:]))
		}
		return r
	}
}

// A load to half of a register keeps the other half, but where registers have error correction.
func TestLoadsOfHalvesKeepTheRestOrClearIt(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(64, false)
	b[0], b[1] = 0xfe, 0xca
	words := func(name string) []uint32 {
		switch {
		case strings.HasPrefix(name, "ds"):
			return ds(t, name, 20, 4, 0, 0, 0)
		case strings.HasPrefix(name, "buffer"):
			return mubuf(t, name, 20, 0, 8, 0x80, 0, false, false, false)
		case strings.HasPrefix(name, "flat"):
			return flatWords(t, name, encoding.SegFlat, 20, 6, 0, 0, 0, false)
		}
		return global(t, name, 20, 6, 0, noSaddr, 0)
	}
	for name, want := range map[string]uint32{"u8_d16": 0xfe, "i8_d16": 0xfffe, "u16_d16": 0xcafe} {
		for _, hi := range []bool{false, true} {
			old, part := uint32(0x11220000), want
			if hi {
				old, part, name = 0x3344, want<<16, name+"_hi"
			}
			other := strings.NewReplacer("u8", "ubyte", "i8", "sbyte", "u16", "short").Replace(name)
			for _, name := range []string{"ds_read_" + name, "buffer_load_" + other, "flat_load_" + other, "global_load_" + other} {
				for chip, kept := range map[encoding.Chip]bool{
					encoding.Gfx900: true, encoding.Gfx906: false, encoding.Gfx906.WithoutECC(): true, encoding.Gfx90a: false,
				} {
					i := instOf(t, chip, words(name))
					w := newWave()
					w.Mem, w.LDS = mem, b
					w.SetS64(8, base)
					w.SetS64(10, 64)
					pointers(w, 6, base, 0)
					w.V[4].Fill(0)
					w.V[20].Fill(0x11223344)
					i.Row.Do(i)(w)
					require.Equal(t, wave.Running, w.Status, "%s: %+v", name, w.Fault)
					want := part
					if kept {
						want |= old
					}
					require.Equal(t, want, w.V[20][63], "%s of %v, %t", name, chip, kept)
				}
			}
		}
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
		for _, exec := range []uint64{alu.Full, 0x5555555555555555} {
			mem := &samples.Memory{}
			b, base := mem.Add(64*16, true)
			w := newWave()
			w.Mem = mem
			w.SetExec(exec)
			w.SetS64(10, base)
			var data [16]byte
			for l := 0; l < 64; l++ {
				w.V[4][l] = uint32(l * 16)
			}
			for n := 0; n < 4; n++ {
				w.V[8+n].Fill(0x04030201 + uint32(n)*0x04040404)
				binary.LittleEndian.PutUint32(data[4*n:], 0x04030201+uint32(n)*0x04040404)
			}
			stepOf(t, global(t, c.name, 0, 4, 8, 10, 0))(w)
			require.Equal(t, wave.Running, w.Status, "%s: %+v", c.name, w.Fault)
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
	mem := &samples.Memory{}
	b, base := mem.Add(64*16, false)
	samples.Fill(b)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 16)
	stepOf(t, global(t, "global_load_dwordx4", 4, 4, 0, noSaddr, 0))(w)
	for l := 0; l < 64; l++ {
		for n := 0; n < 4; n++ {
			require.Equal(t, binary.LittleEndian.Uint32(b[l*16+4*n:]), w.V[4+n][l])
		}
	}
}

func TestFaultsNameLaneAndAddress(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(64*4, false)
	_, other := mem.Add(64*4, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	w.V[4][37], w.V[5][37] = 0x10, 0
	stepOf(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Equal(t, 37, w.Fault.Lane)
	require.Equal(t, uint64(0x10), w.Fault.Addr)
	require.Contains(t, w.Fault.Reason, "read")

	w = newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	stepOf(t, global(t, "global_store_dword", 0, 4, 8, noSaddr, 0))(w)
	require.Equal(t, wave.Faulted, w.Status, "memory that may only be read is not written")
	require.Contains(t, w.Fault.Reason, "write")

	w = newWave()
	w.Mem = mem
	pointers(w, 4, other, 4)
	stepOf(t, global(t, "global_load_dwordx2", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, wave.Faulted, w.Status, "the last lane reaches over the end")
	require.Equal(t, 63, w.Fault.Lane)

	w = newWave()
	pointers(w, 4, base, 4)
	stepOf(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, wave.Faulted, w.Status, "a wave without memory")

	w = newWave()
	w.Mem = mem
	w.SetExec(0)
	stepOf(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	require.Equal(t, wave.Running, w.Status, "inactive lanes access nothing")
}

func TestWindowsAreLookedUpOnce(t *testing.T) {
	mem := &samples.Memory{}
	_, a := mem.Add(64*4, true)
	_, b := mem.Add(64*4, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, a, 4)
	pointers(w, 6, b, 4)
	loadA, loadB := stepOf(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0)), stepOf(t, global(t, "global_load_dword", 21, 6, 0, noSaddr, 0))
	for n := 0; n < 10; n++ {
		loadA(w)
		loadB(w)
	}
	require.Equal(t, 2, mem.Lookups)
	w.ForgetWindows()
	loadA(w)
	require.Equal(t, 3, mem.Lookups)
}

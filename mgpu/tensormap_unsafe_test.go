package mgpu

import (
	"testing"
	"unsafe"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// mapping is a mocked driver that encodes tensor maps.
type mapping struct {
	*MockDriver
	*MockTensorMapper
}

func mappingHost(t *testing.T) (*host, mapping) {
	ctrl := gomock.NewController(t)
	d := mapping{NewMockDriver(ctrl), NewMockTensorMapper(ctrl)}
	d.MockDriver.EXPECT().Name().Return("mock").AnyTimes()
	d.MockDriver.EXPECT().DeviceCount().Return(1).AnyTimes()
	d.MockDriver.EXPECT().DeviceName(gomock.Any()).Return("mocked GPU").AnyTimes()
	return over(mapper{d.MockDriver, d.MockTensorMapper}, Config{}), d
}

// mapper joins the two mocks, each of which has its own EXPECT.
type mapper struct {
	driver.Driver
	driver.TensorMapper
}

func startOf[T any](list []T) uintptr { return uintptr(unsafe.Pointer(&list[0])) }

// at copies n elements in a loop, since the compiler of Go 1.26 fails on slices.Clone here, and on append of all
// elements.
func at[T any](addr uintptr, n uint32) []T {
	list := make([]T, n)
	copy(list, unsafe.Slice(*(**T)(unsafe.Pointer(&addr)), n))
	return list
}

func put(addr uintptr, text string) {
	to := unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), len(text))
	for i := range text {
		to[i] = text[i]
	}
}

// A memref<3x5x64xf16> of rows of 96 elements, in tiles of 1x5x32.
var (
	descriptor = []int64{0x1000, 0x2000, 7, 3, 5, 64, 480, 96, 1}
	tile       = []int64{1, 5, 32}
)

func tiled() *TiledMemref {
	return &TiledMemref{Rank: 3, Descriptor: startOf(descriptor), DataType: 6, Interleave: 1, Swizzle: 3, L2Promotion: 2,
		OutOfBounds: 1, Box: startOf(tile)}
}

func TestAMemrefsTensorMapReachesTheDevice(t *testing.T) {
	h, d := mappingHost(t)
	gomock.InOrder(
		d.MockTensorMapper.EXPECT().EncodeTiled(gomock.Any()).DoAndReturn(func(m driver.TensorMap) error {
			assert.Zero(t, m.Map%64)
			assert.EqualValues(t, 0x2000, m.Address, "the aligned pointer, without the offset, as MLIR's own does")
			assert.Equal(t, []uint32{6, 3, 1, 3, 2, 1},
				[]uint32{m.DataType, m.Rank, m.Interleave, m.Swizzle, m.L2Promotion, m.OutOfBoundsFill})
			assert.Equal(t, []uint64{64, 5, 3}, at[uint64](m.Dims, 3), "the innermost dimension first")
			assert.Equal(t, []uint64{192, 960}, at[uint64](m.Strides, 2), "bytes")
			assert.Equal(t, []uint32{32, 5, 1}, at[uint32](m.Box, 3))
			assert.Equal(t, []uint32{1, 1, 1}, at[uint32](m.ElementStrides, 3))
			put(m.Map, "encoded")
			return nil
		}),
		d.MockDriver.EXPECT().MemAlloc(uint64(512)).Return(driver.Ptr(0xd000), nil),
		d.MockDriver.EXPECT().Memcpy(driver.Ptr(0xd000), gomock.Any(), uint64(128), driver.Stream(0)).
			DoAndReturn(func(_, from driver.Ptr, _ uint64, _ driver.Stream) error {
				assert.Equal(t, "encoded", string(at[byte](uintptr(from), 7)))
				return nil
			}),
		d.MockDriver.EXPECT().StreamSynchronize(driver.Stream(0)).Return(nil),
	)
	require.EqualValues(t, 0xd000, h.TensorMapEncodeTiledMemref(tiled()))
	h.requireSilence(t)
	require.EqualValues(t, 4, stat(t, h.Runtime, "mgpuTensorMapEncodeTiledMemref").DriverCalls)
}

func TestATensorMapThatCantReachTheDeviceLeavesNothingThere(t *testing.T) {
	h, d := mappingHost(t)
	d.MockTensorMapper.EXPECT().EncodeTiled(gomock.Any()).Return(boom)
	require.Zero(t, h.TensorMapEncodeTiledMemref(tiled()))
	require.Equal(t, []string{boom.Error()}, h.lines())

	d.MockTensorMapper.EXPECT().EncodeTiled(gomock.Any()).Return(nil).AnyTimes()
	d.MockDriver.EXPECT().MemAlloc(gomock.Any()).Return(driver.Ptr(0), boom)
	require.Zero(t, h.TensorMapEncodeTiledMemref(tiled()))
	require.Equal(t, []string{boom.Error()}, h.lines())

	d.MockDriver.EXPECT().MemAlloc(gomock.Any()).Return(driver.Ptr(0xd000), nil)
	for _, copied := range []error{boom, nil} {
		d.MockDriver.EXPECT().Memcpy(gomock.Any(), gomock.Any(), gomock.Any(), gomock.Any()).Return(copied)
		if copied == nil {
			d.MockDriver.EXPECT().StreamSynchronize(driver.Stream(0)).Return(boom)
		}
		require.Zero(t, h.TensorMapEncodeTiledMemref(tiled()))
		require.Equal(t, []string{boom.Error()}, h.lines())
	}
}

func TestMemrefsThatHaveNoTensorMap(t *testing.T) {
	h, _ := mappingHost(t)
	for says, spoil := range map[string]func(*TiledMemref){
		"'mgpuTensorMapEncodeTiledMemref' failed with 'rank is too high'": func(m *TiledMemref) { m.Rank = 6 },
		"'mgpuTensorMapEncodeTiledMemref' failed with 'invalid value': data type 13, where 0 to 12 can be": func(m *TiledMemref) {
			m.DataType = 13
		},
		"'mgpuTensorMapEncodeTiledMemref' failed with 'invalid value': memref descriptor at 0x8: ": func(m *TiledMemref) { m.Descriptor = 8 },
		"'mgpuTensorMapEncodeTiledMemref' failed with 'invalid value': tile at 0x0: ":              func(m *TiledMemref) { m.Box = 0 },
	} {
		m := tiled()
		spoil(m)
		require.Zero(t, h.TensorMapEncodeTiledMemref(m))
		lines := h.lines()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], says)
	}
	m := tiled()
	m.Rank = 0
	require.Zero(t, h.TensorMapEncodeTiledMemref(m))
	require.Len(t, h.lines(), 1)
}

// A tensor of 5x64 32-bit floats, at an address that does not change.
var (
	dims, strides = []uint64{64, 5}, []uint64{256}
	box, steps    = []uint32{32, 5}, []uint32{1, 1}
	room          [256]byte
)

func TestATensorMapIsEncodedInPlace(t *testing.T) {
	h, d := mappingHost(t)
	m := driver.TensorMap{Map: startOf(room[:]), DataType: 7, Rank: 2, Address: 0xd000, Dims: startOf(dims), Strides: startOf(strides),
		Box: startOf(box), ElementStrides: startOf(steps)}
	d.MockTensorMapper.EXPECT().EncodeTiled(m).Return(nil)
	h.TensorMapEncodeTiled(m)
	h.requireSilence(t)

	line := m
	line.Rank, line.Strides = 1, 0
	d.MockTensorMapper.EXPECT().EncodeTiled(line).Return(nil)
	h.TensorMapEncodeTiled(line)
	h.requireSilence(t)

	for says, spoil := range map[string]func(*driver.TensorMap){
		"a tensor of rank 6, where 1 to 5 can be": func(m *driver.TensorMap) { m.Rank = 6 },
		"tensor map at 0x0: ":                     func(m *driver.TensorMap) { m.Map = 0 },
		"strides at 0x10: ":                       func(m *driver.TensorMap) { m.Strides = 16 },
		"element strides at 0x1: ":                func(m *driver.TensorMap) { m.ElementStrides = 1 },
	} {
		bad := m
		spoil(&bad)
		h.TensorMapEncodeTiled(bad)
		lines := h.lines()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], "'mgpuTensorMapEncodeTiled' failed with 'invalid value': "+says)
	}
}

func TestOtherDriversHaveNoTensorMaps(t *testing.T) {
	h, _ := mocked(t, 1, Config{})
	require.Zero(t, h.TensorMapEncodeTiledMemref(tiled()))
	h.TensorMapEncodeTiled(driver.TensorMap{})
	for i, line := range h.lines() {
		name := []string{"mgpuTensorMapEncodeTiledMemref", "mgpuTensorMapEncodeTiled"}[i]
		require.Equal(t, "'"+name+"' failed with 'not supported': the mock driver has no tensor maps: "+
			"they need an NVIDIA GPU of compute capability 9.0 or later", line)
	}
}

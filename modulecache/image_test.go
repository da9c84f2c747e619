package modulecache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"syscall"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// The tests' images: "IMG" and a kind, four bytes of length, a body. A body
// that starts with "unique" must not be shared.
func image(kind codeobj.Kind, body string) []byte {
	b := append([]byte("IMG"), byte(kind), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(b[4:], uint32(8+len(body)))
	return append(b, body...)
}

func testConfig() Config {
	return Config{
		Extent: func(read func([]byte, uint64) error) (codeobj.Kind, uint64, error) {
			var head [8]byte
			if err := read(head[:], 0); err != nil {
				return 0, 0, err
			}
			if string(head[:3]) != "IMG" {
				return 0, 0, errors.New("not an image of the tests")
			}
			return codeobj.Kind(head[3]), uint64(binary.LittleEndian.Uint32(head[4:])), nil
		},
		Traits: func(_ codeobj.Kind, image []byte) codeobj.Traits {
			if len(image) >= 14 && string(image[8:14]) == "unique" {
				return codeobj.Traits{Unshareable: "it has a mutable global, counter"}
			}
			return codeobj.Traits{Silent: bytes.Contains(image, []byte("silent"))}
		},
	}
}

// mocked is a cache of the tests' images, and the driver for it.
func mocked(t *testing.T) (*MockDriver, *Cache) {
	return NewMockDriver(gomock.NewController(t)), New(testConfig())
}

// region is memory outside the Go heap at a fixed address.
func region(t testing.TB, size int) []byte {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}

// holding is a region that begins with an image.
func holding(t testing.TB, image []byte) []byte {
	mem := region(t, 4096)
	copy(mem, image)
	return mem
}

func load(t *testing.T, c *Cache, d Driver, device int, addr uintptr, want Result) driver.Module {
	t.Helper()
	m, o, err := c.Load(d, device, addr)
	require.NoError(t, err)
	require.Equal(t, want.String(), o.Result.String())
	return m
}

func unload(t *testing.T, c *Cache, d Driver, m driver.Module, want Result) {
	t.Helper()
	o, err := c.Unload(d, m)
	require.NoError(t, err)
	require.Equal(t, want.String(), o.Result.String())
}

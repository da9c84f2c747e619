package mgpu

import (
	"strings"
	"syscall"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestNamesAreReadWithoutFaulting(t *testing.T) {
	page := syscall.Getpagesize()
	mem, err := syscall.Mmap(-1, 0, 32*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(mem) })
	end := len(mem) - page
	require.NoError(t, syscall.Mprotect(mem[end:], syscall.PROT_NONE))
	base := addressOf(mem)
	for _, text := range []string{"", "k", "matmul_kernel", strings.Repeat("x", nameChunk-1), strings.Repeat("y", nameChunk), strings.Repeat("z", 3*page)} {
		at := end - len(text) - 1
		copy(mem[at:], text)
		mem[end-1] = 0
		got, ok := cString(base + uintptr(at))
		assert.True(t, ok, "%d letters", len(text))
		assert.Equal(t, text, got)
		mem[end-1] = 'x'
		_, ok = cString(base + uintptr(at))
		assert.False(t, ok, "%d letters without an end", len(text))
	}
	for _, wild := range []uintptr{0, 1, firstAddress - 1, base + uintptr(end), ^uintptr(0), 0xdeadbeefdeadbee8} {
		_, ok := cString(wild)
		assert.False(t, ok, "%#x", wild)
	}
}

func TestNamesForMessagesAreBounded(t *testing.T) {
	r := New(Config{})
	for f := range uintptr(3 * maxKernels) {
		r.nameKernel(f+1, 1, "k")
		require.Equal(t, "k", r.kernelName(f+1))
	}
	n := 0
	r.kernels.Range(func(any, any) bool { n++; return true })
	require.LessOrEqual(t, n, maxKernels)
}

// A driver may reuse the handle of a module that the program unloaded by a call of the driver.
func TestAnswersEndWithEveryModuleThatTheDriverGivesOrTakes(t *testing.T) {
	c := &fastPath{}
	h, d := mocked(t, 1, Config{NoCache: true, FastPath: c})
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	d.EXPECT().ModuleUnload(driver.Module(0x10)).Return(nil)
	k := h.open()
	m, err := k.views[moduleLoad].ModuleLoad([]byte("image"))
	require.NoError(t, err)
	require.Equal(t, 1, c.functionsForgotten)
	require.NoError(t, k.views[moduleUnload].ModuleUnload(m))
	require.Equal(t, 2, c.functionsForgotten)
}

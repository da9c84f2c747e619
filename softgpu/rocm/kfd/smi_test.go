package kfd

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// listenTo opens a descriptor for events of a GPU, with a mask.
func (h *host) listenTo(gpu uint32, mask uint64) int {
	h.Helper()
	a := smiArgs{GPUID: 0x5000 + gpu}
	require.Zero(h, ask(h, 0, 0x1f, &a))
	n, err := syscall.Write(int(a.FD), binary.LittleEndian.AppendUint64(nil, mask))
	require.NoError(h, err)
	require.Equal(h, 8, n)
	return int(a.FD)
}

// told are the events that a descriptor has.
func (h *host) told(fd int) string {
	h.Helper()
	var text [512]byte
	n, err := syscall.Read(fd, text[:])
	if err == syscall.EAGAIN {
		return ""
	}
	require.NoError(h, err)
	return string(text[:n])
}

func TestMemoryFaultsAreEventsOfSMI(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	const faults, others = 1 << (vmFault - 1), ^uint64(1)
	first, second, deaf, changed := h.listenTo(1, faults), h.listenTo(2, faults), h.listenTo(1, others), h.listenTo(1, faults)
	_, err := syscall.Write(changed, make([]byte, 8)) // no events any more
	require.NoError(t, err)
	require.Empty(t, h.told(first), "nothing has happened")

	h.tellFault(1)
	h.tellFault(1)
	line := fmt.Sprintf("1 %x:%.15s\n", os.Getpid(), filepath.Base(os.Args[0]))
	require.Equal(t, line+line, h.told(first))
	for _, fd := range []int{second, deaf, changed} {
		require.Empty(t, h.told(fd))
	}

	require.NoError(t, syscall.Close(deaf))
	h.tellFault(2)
	require.Equal(t, line, h.told(second))
	require.Len(t, h.listeners, 3, "a program that has closed its descriptor is forgotten")
	require.Equal(t, syscall.EINVAL, ask(h, 0, 0x1f, &smiArgs{GPUID: 0x5003}))
}

// A program that does not read loses events, and does not delay others.
func TestEventsOfSMIThatNobodyReadsAreLost(t *testing.T) {
	h := newHost(t, hsa.Options{})
	fd := h.listenTo(1, 1<<(vmFault-1))
	for range 20000 {
		h.tellFault(1)
	}
	require.NotEmpty(t, h.told(fd))
}

func TestCallsForDebuggersAndCheckpointsFailAsForAPlainProcess(t *testing.T) {
	h := newHost(t, hsa.Options{})
	for number, want := range map[uint64]syscall.Errno{
		0x0d: syscall.EPERM, 0x10: syscall.EPERM, 0x1b: syscall.EINVAL, 0x22: syscall.EACCES, 0x26: syscall.EINVAL,
	} {
		require.Equal(t, want, h.Ioctl(0, number|64<<16, 0), "%#x", number)
	}
}

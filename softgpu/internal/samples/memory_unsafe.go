package samples

import (
	"errors"
	"syscall"
	"unsafe"
)

// Memory is a memory made of byte slices at their own addresses.
type Memory struct {
	Parts   []Part
	Lookups int // calls of Window
}

// Part is one slice of a Memory.
type Part struct {
	Bytes []byte
	Write bool // may be written
}

// Add makes a part of n bytes, and returns it and its address.
func (m *Memory) Add(n int, write bool) ([]byte, uint64) {
	words := make([]uint64, (n+7)/8)
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
	m.Parts = append(m.Parts, Part{b, write})
	return b, AddressOf(b)
}

// AddLarge makes a part of 4 GiB and a page, of which the first page and the last two can be accessed. unmap ends it.
func (m *Memory) AddLarge() (base uint64, unmap func() error, err error) {
	const page, size = 4096, 1<<32 + 4096
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return 0, nil, err
	}
	const all = syscall.PROT_READ | syscall.PROT_WRITE
	if err = errors.Join(syscall.Mprotect(b[:page], all), syscall.Mprotect(b[size-2*page:], all)); err != nil {
		return 0, nil, errors.Join(err, syscall.Munmap(b))
	}
	m.Parts = append(m.Parts, Part{b, true})
	return AddressOf(b), func() error { return syscall.Munmap(b) }, nil
}

// AddressOf returns the address of the first byte of b.
func AddressOf(b []byte) uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }

// Window is what the interface of memories asks for: the part that addr lies in.
func (m *Memory) Window(addr uint64, write bool) (lo, hi uint64, ok bool) {
	m.Lookups++
	for _, p := range m.Parts {
		lo := AddressOf(p.Bytes)
		if addr >= lo && addr < lo+uint64(len(p.Bytes)) && (p.Write || !write) {
			return lo, lo + uint64(len(p.Bytes)), true
		}
	}
	return 0, 0, false
}

// Fill puts other bytes into all places, each next to different ones.
func Fill(b []byte) {
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
}

package codeobj

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// FromMemory returns the file of an AMDGPU code object that a loader has placed in memory, at memory[0] what is at
// address 0. Like a stripped object, the file has no section headers, and nothing that only these name: no lines of
// sources, no local symbols. Relocations have been applied.
func FromMemory(memory []byte) ([]byte, error) {
	if len(memory) < ehdrSize || !bytes.HasPrefix(memory, []byte(elf.ELFMAG)) {
		return nil, fmt.Errorf("no ELF header in the loaded code object's memory")
	}
	head := bytes.Clone(memory[:ehdrSize])
	clear(head[40:48]) // e_shoff
	clear(head[58:64]) // e_shentsize, e_shnum, e_shstrndx
	h, err := readHeader(imageSource(head))
	if err != nil {
		return nil, err
	}
	if h.phnum > maxPrograms {
		return nil, fmt.Errorf("ELF program header table: %d entries are not believed", h.phnum)
	}
	var segments []program
	size := uint64(0)
	err = h.programs(imageSource(memory), func(p program) error {
		if p.kind != elf.PT_LOAD {
			return nil
		}
		if last := end(p.vaddr, p.filesz); last > uint64(len(memory)) || p.off > p.vaddr {
			return fmt.Errorf("ELF segment %d: %d bytes at address %#x, %d in the file, are not in %d bytes of memory",
				p.number, p.filesz, p.vaddr, p.off, len(memory))
		}
		segments, size = append(segments, p), max(size, p.off+p.filesz)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if size < ehdrSize {
		return nil, fmt.Errorf("the loaded code object has no segment with its ELF header")
	}
	file := make([]byte, size)
	for _, p := range segments {
		copy(file[p.off:], memory[p.vaddr:p.vaddr+p.filesz])
	}
	copy(file, head)
	return file, nil
}

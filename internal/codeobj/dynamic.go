package codeobj

import (
	"debug/elf"
	"fmt"
)

// dynamicTags are the entries of the dynamic section that are used.
type dynamicTags map[elf.DynTag]uint64

// readDynamic reads the dynamic section's symbols and relocations, which exist even in an object without section
// headers.
func (o *Object) readDynamic(source, *header) error {
	size := o.dynamic.hi - o.dynamic.lo
	if size == 0 {
		return nil
	}
	b, err := o.Bytes(o.dynamic.lo, size)
	if err != nil {
		return fmt.Errorf("dynamic section: %w", err)
	}
	tags := dynamicTags{}
	for ; len(b) >= dynSize && le.Uint64(b) != uint64(elf.DT_NULL); b = b[dynSize:] {
		tags[elf.DynTag(le.Uint64(b))] = le.Uint64(b[8:])
	}
	if err := o.readDynamicSymbols(tags); err != nil {
		return fmt.Errorf("dynamic symbols: %w", err)
	}
	return o.readRelocs(tags)
}

func (o *Object) readDynamicSymbols(tags dynamicTags) error {
	symtab, ok := tags[elf.DT_SYMTAB]
	if !ok {
		return nil
	}
	if n, ok := tags[elf.DT_SYMENT]; ok && n != symSize {
		return fmt.Errorf("entries of %d bytes, not %d", n, symSize)
	}
	text, err := o.Bytes(tags[elf.DT_STRTAB], tags[elf.DT_STRSZ])
	if err != nil {
		return fmt.Errorf("string table: %w", err)
	}
	names := o.stringTable(text)
	count, err := o.countDynamicSymbols(tags)
	if err != nil {
		return err
	}
	table, err := o.Bytes(symtab, uint64(count)*symSize)
	if err != nil {
		return fmt.Errorf("%d entries: %w", count, err)
	}
	o.Symbols, o.byName = make([]Symbol, 0, count+8), make(map[string]int, count+8)
	for i := range int(count) {
		s, err := o.decodeSymbol(table[i*symSize:], names)
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		o.addSymbol(s)
	}
	o.dynsyms = int(count)
	return nil
}

// countDynamicSymbols reads the number of dynamic symbols from a hash table, since nothing else has it.
func (o *Object) countDynamicSymbols(tags dynamicTags) (uint32, error) {
	if at, ok := tags[elf.DT_HASH]; ok {
		b, err := o.Bytes(at, 8)
		if err != nil {
			return 0, fmt.Errorf("hash table: %w", err)
		}
		return le.Uint32(b[4:]), nil // one chain entry per symbol
	}
	at, ok := tags[elf.DT_GNU_HASH]
	if !ok {
		return 0, fmt.Errorf("no hash table tells how many there are")
	}
	return o.countByGNUHash(at)
}

// countByGNUHash follows the last chain of a GNU hash table to its end.
func (o *Object) countByGNUHash(at uint64) (uint32, error) {
	head, err := o.Bytes(at, 16)
	if err != nil {
		return 0, fmt.Errorf("GNU hash table: %w", err)
	}
	nbuckets, first, bloom := le.Uint32(head), le.Uint32(head[4:]), le.Uint32(head[8:])
	bucketsAt := at + 16 + 8*uint64(bloom)
	buckets, err := o.Bytes(bucketsAt, 4*uint64(nbuckets))
	if err != nil {
		return 0, fmt.Errorf("GNU hash table: %d buckets: %w", nbuckets, err)
	}
	last := uint32(0)
	for ; len(buckets) > 0; buckets = buckets[4:] {
		last = max(last, le.Uint32(buckets))
	}
	if last < first {
		return first, nil // all symbols are local
	}
	chainsAt := bucketsAt + 4*uint64(nbuckets)
	for ; ; last++ {
		link, err := o.Bytes(chainsAt+4*uint64(last-first), 4)
		if err != nil {
			return 0, fmt.Errorf("GNU hash table: chain entry %d: %w", last, err)
		}
		if le.Uint32(link)&1 != 0 {
			return last + 1, nil
		}
	}
}

package dl

/*
#include <stdlib.h>

// Tables stay reachable from here: leak checkers don't see Go's memory.
struct kept {
  struct kept *next;
  void *table[];
};
static struct kept *tables;

static void **new_table(size_t bytes) {
  struct kept *k = calloc(1, sizeof *k + bytes);
  if (k == NULL)
    return NULL;
  do
    k->next = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&tables, &k->next, k, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  return k->table;
}
*/
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"
)

// Table is a struct of C in C memory, which is never freed.
type Table struct{ _ byte }

// Symbol is a function that a driver looks up.
type Symbol struct {
	Name     string
	Required bool // the library can't be used without it
}

// Layout describes the contents of a table.
type Layout struct {
	Head    unsafe.Pointer // the first word
	Symbols []Symbol       // functions after the first word, by row
	Missing unsafe.Pointer // C function that replaces an optional function that the library lacks
	Bytes   uintptr        // size of the table; what follows the functions is zero
}

// Table makes a table of the library's functions. The error names the required functions that the library lacks.
func (l *Library) Table(of Layout) (*Table, error) {
	addresses := make([]uintptr, len(of.Symbols))
	var lacks []string
	for i, s := range of.Symbols {
		addresses[i] = l.Symbol(s.Name)
		if addresses[i] == 0 {
			addresses[i] = uintptr(of.Missing)
			if s.Required {
				lacks = append(lacks, s.Name)
			}
		}
	}
	if lacks != nil {
		return nil, missing(lacks, len(of.Symbols))
	}
	table := C.new_table(C.size_t(of.Bytes))
	if table == nil {
		return nil, errors.New("no memory for a table of functions")
	}
	words := unsafe.Slice((*uintptr)(unsafe.Pointer(table)), 1+len(addresses))
	words[0] = uintptr(of.Head)
	copy(words[1:], addresses)
	return (*Table)(unsafe.Pointer(table)), nil
}

// missing returns an error that names the first missing functions. of is the number of functions that were looked up.
func missing(lacks []string, of int) error {
	const named = 3
	if len(lacks) <= named {
		return errors.New("it has no " + strings.Join(lacks, ", no "))
	}
	return fmt.Errorf("it has no %s and %d more of the %d functions looked for",
		strings.Join(lacks[:named], ", no "), len(lacks)-named, of)
}

package linalg

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// Side is where the programs run: "cpu", or a way to kernels that scripts/lower knows.
type Side struct {
	Kind string   // "cpu", "linalg"
	Env  []string // of scripts/lower
	Link []string // what a program is linked with, further to itself
	Run  []string // environment of the program
}

// Execute lowers all programs together, compiles them to one host program, gives it
// the contents of all buffers and returns what they hold at the end.
func (s Side) Execute(programs []Program, contents []byte) ([]byte, error) {
	var text strings.Builder
	for _, p := range programs {
		text.WriteString(spell(p.Text))
	}
	lowered, err := toolchain.Lower(s.Kind, text.String(), s.Env...)
	if err != nil {
		return nil, err
	}
	if _, err := toolchain.Binaries(lowered); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "linalg")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program, err := toolchain.Program(lowered, hostMain(programs), dir, s.Link...)
	if err != nil {
		return nil, err
	}
	out, err := toolchain.Run(contents, s.Run, program)
	if err == nil && len(out) != len(contents) {
		err = fmt.Errorf("%s: %d bytes came out, not %d", s.Kind, len(out), len(contents))
	}
	return out, err
}

// hostMain is a C program that reads all buffers, calls every program with
// descriptors of its own, and writes the buffers.
func hostMain(programs []Program) string {
	var w, calls strings.Builder
	w.WriteString(`#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef union { float f; unsigned u; } single;
typedef unsigned short __attribute__((vector_size(16))) lanes;
lanes __truncsfbf2(float f) { single x = { f }; return (lanes){ (x.u + 0x7fff + (x.u >> 16 & 1)) >> 16 }; }
typedef struct { void *base, *at; int64_t offset, shape[12]; } descriptor;
static void *allocate(size_t bytes) {
  void *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
  if (fread(p, 1, bytes, stdin) != bytes) exit(1);
  return p;
}
static void *kept[1000];
`)
	n := 0
	for _, p := range programs {
		var names []string
		for _, b := range p.Buffers {
			fmt.Fprintf(&calls, "  kept[%d] = allocate(%d);\n  descriptor d%d = { kept[%d], kept[%d], 0, { ", n, b.Bytes(), n, n, n)
			stride := b.count()
			strides := ""
			for _, size := range b.Sizes {
				stride /= size
				fmt.Fprintf(&calls, "%d, ", size)
				strides += fmt.Sprintf("%d, ", stride)
			}
			fmt.Fprintf(&calls, "%s} };\n", strides)
			names = append(names, fmt.Sprintf("&d%d", n))
			n++
		}
		fmt.Fprintf(&w, "void _mlir_ciface_%s();\n", p.Name)
		fmt.Fprintf(&calls, "  _mlir_ciface_%s(%s);\n", p.Name, strings.Join(names, ", "))
	}
	w.WriteString("int main(void) {\n" + calls.String())
	n = 0
	for _, p := range programs {
		for _, b := range p.Buffers {
			fmt.Fprintf(&w, "  fwrite(kept[%d], 1, %d, stdout);\n", n, b.Bytes())
			n++
		}
	}
	return w.String() + "  return 0;\n}\n"
}

var elementwise = regexp.MustCompile(`(?m)^  linalg\.(abs|add|ceil|div|erf|exp|floor|log|max|min|mul|negf|round|sqrt|square|sub|tanh)$`)

// spell writes elementwise operations as in MLIR 24: as kinds of one operation.
func spell(text string) string {
	if toolchain.Release() != "24" {
		return text
	}
	return elementwise.ReplaceAllStringFunc(text, func(op string) string {
		kind := strings.TrimPrefix(op, "  linalg.")
		if kind == "max" || kind == "min" {
			kind += "_signed"
		}
		return "  linalg.elementwise <" + kind + ">"
	})
}

package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Program is one function on buffers.
type Program struct {
	Name    string
	Text    string
	Near    bool // libm takes part
	Buffers []Buffer
}

// Buffer is an argument: a memref of static shape.
type Buffer struct {
	Sizes []int
	Elem  string // "f32"
}

var (
	signature = regexp.MustCompile(`func\.func @(\w+)\((.*)\) attributes \{llvm\.emit_c_interface\}`)
	memref    = regexp.MustCompile(`%\w+: memref<((?:\d+x)*)(\w+)>`)
)

// Read reads a program's file.
func Read(path string) (Program, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Program{}, err
	}
	p := Program{Text: string(b), Near: strings.HasPrefix(string(b), "// near\n")}
	m := signature.FindStringSubmatch(p.Text)
	if m == nil || m[1]+".mlir" != filepath.Base(path) {
		return p, fmt.Errorf("%s: no function of the file's name with llvm.emit_c_interface", path)
	}
	p.Name = m[1]
	for _, a := range memref.FindAllStringSubmatch(m[2], -1) {
		buffer := Buffer{Elem: a[2]}
		for _, s := range strings.Split(strings.TrimSuffix(a[1], "x"), "x") {
			if n, err := strconv.Atoi(s); err == nil {
				buffer.Sizes = append(buffer.Sizes, n)
			}
		}
		p.Buffers = append(p.Buffers, buffer)
	}
	if strings.Count(m[2], "%") != len(p.Buffers) {
		return p, fmt.Errorf("%s: an argument is not a memref of static shape", path)
	}
	return p, nil
}

func (b Buffer) count() int {
	n := 1
	for _, s := range b.Sizes {
		n *= s
	}
	return n
}

// width is the size of an element in bytes.
func (b Buffer) width() int {
	bits, _ := strconv.Atoi(strings.TrimLeft(b.Elem, "bfi"))
	return bits / 8
}

// Bytes is the size of the buffer.
func (b Buffer) Bytes() int { return b.count() * b.width() }

// fill appends contents: integers of any bits, floats between -4 and 4 that are
// multiples of 1/64 and so exact in every width that holds them.
func (b Buffer) fill(to []byte, r *rand.Rand) []byte {
	for range b.count() {
		w := r.Uint64()
		if strings.Contains(b.Elem, "f") {
			v := float64(r.IntN(512)-256) / 64
			switch b.Elem {
			case "f64":
				w = math.Float64bits(v)
			case "f32":
				w = uint64(math.Float32bits(float32(v)))
			case "bf16":
				w = uint64(math.Float32bits(float32(v)) >> 16)
			case "f16":
				w = half(v)
			}
		}
		for k := range b.width() {
			to = append(to, byte(w>>(8*k)))
		}
	}
	return to
}

// half is a float16 that v fits into without loss.
func half(v float64) uint64 {
	if v == 0 {
		return 0
	}
	sign := uint64(0)
	if v < 0 {
		sign, v = 0x8000, -v
	}
	m, e := math.Frexp(v)
	return sign | uint64(e-1+15)<<10 | uint64(m*2048)&0x3ff
}

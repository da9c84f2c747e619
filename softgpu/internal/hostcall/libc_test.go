package hostcall

import (
	"bytes"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// printer is a C program that prints one conversion per line of its input: the kind
// of argument, up to two stars, the argument's bits, the format. Outputs end with a
// zero byte.
const printer = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static char line[4096];
int main(void) {
  char kind;
  int stars, a, b, used;
  unsigned long long bits;
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (sscanf(line, "%c %d %d %d %llx %n", &kind, &stars, &a, &b, &bits, &used) != 5) return 1;
    const char *f = line + used;
    double d;
    memcpy(&d, &bits, 8);
#define PRINT(v) (stars == 0 ? printf(f, v) : stars == 1 ? printf(f, a, v) : printf(f, a, b, v))
    if (kind == 'f') PRINT(d);
    else if (kind == 's') PRINT((const char *)"a string of some length");
    else PRINT(bits);
    putchar(0);
  }
}
`

type printed struct {
	kind  byte
	stars []int32
	bits  uint64
	text  string
}

const someString = "a string of some length"

func (p printed) words() []uint64 {
	w := pack(p.text)
	for _, s := range p.stars {
		w = append(w, uint64(uint32(s)))
	}
	if p.kind == 's' {
		return append(w, pack(someString)...)
	}
	return append(w, p.bits)
}

// pack lays out a string as kernels do.
func pack(s string) []uint64 {
	b := append([]byte(s), make([]byte, 8-len(s)%8)...)
	w := make([]uint64, len(b)/8)
	for i := range w {
		for j := range 8 {
			w[i] |= uint64(b[8*i+j]) << (8 * j)
		}
	}
	return w
}

func numbers(r *rand.Rand) (bits uint64) {
	switch r.Intn(6) {
	case 0:
		return uint64(r.Intn(20) - 10)
	case 1:
		return r.Uint64() >> r.Intn(64)
	case 2:
		return math.Float64bits([]float64{0, math.Copysign(0, -1), 1, 0.5, 1.5, 2.5, 0.1, 1e-5, 123456, 1234567, 999999.5, 9.9995e22,
			math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1.8p-1030, 0x1.fffffffffffffp0}[r.Intn(20)])
	case 3:
		return math.Float64bits(math.Round(r.NormFloat64()*1e4) / 16)
	case 4:
		return math.Float64bits(float64(float32(r.NormFloat64() * math.Pow(10, float64(r.Intn(30)-15)))))
	}
	return r.Uint64()
}

func randomPrinted(r *rand.Rand) printed {
	letters := []struct {
		kind    byte
		letters string
		sizes   []string
	}{
		{'d', "diouxX", []string{"", "", "hh", "h", "l", "ll", "j", "z", "t"}},
		{'f', "fFeEgGaA", []string{"", "", "l"}},
		{'s', "s", []string{""}},
		{'c', "c", []string{""}},
		{'p', "p", []string{""}},
	}
	l := letters[r.Intn(len(letters))]
	p := printed{kind: l.kind, bits: numbers(r)}
	var b strings.Builder
	b.WriteString("<%")
	for _, f := range "-+ #0" {
		if r.Intn(4) == 0 {
			b.WriteRune(f)
		}
	}
	star := func(most int) {
		if r.Intn(4) == 0 {
			p.stars = append(p.stars, int32(r.Intn(2*most)-most))
			b.WriteByte('*')
		} else {
			fmt.Fprint(&b, r.Intn(most))
		}
	}
	if r.Intn(2) == 0 {
		if star(30); p.stars == nil && strings.HasSuffix(b.String(), "0") {
			b.WriteString("7")
		}
	}
	if r.Intn(2) == 0 {
		b.WriteByte('.')
		star(24)
	}
	b.WriteString(l.sizes[r.Intn(len(l.sizes))])
	b.WriteByte(l.letters[r.Intn(len(l.letters))])
	b.WriteByte('>')
	p.text = b.String()
	if strings.ContainsAny(p.text, "gG") {
		p.text = strings.ReplaceAll(p.text, "#", "") // glibc 2.36 drops zeros that C wants, where rounding carries
	}
	return p
}

// C's library is what ROCm prints with.
func TestConversionsAreThoseOfC(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "printer.c"), filepath.Join(dir, "printer")
	require.NoError(t, os.WriteFile(source, []byte(printer), 0o644))
	out, err := exec.Command(compiler, "-O1", "-w", "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s", out)

	r := rand.New(rand.NewSource(4))
	var cases []printed
	var input bytes.Buffer
	for range 50000 {
		p := randomPrinted(r)
		cases = append(cases, p)
		stars := [2]int32{}
		copy(stars[:], p.stars)
		fmt.Fprintf(&input, "%c %d %d %d %x %s\n", p.kind, len(p.stars), stars[0], stars[1], p.bits, p.text)
	}
	cmd := exec.Command(program)
	cmd.Stdin = &input
	all, err := cmd.Output()
	require.NoError(t, err)
	want := bytes.Split(all, []byte{0})
	at := 0
	for _, p := range cases {
		// %c of zero prints what separates.
		expected := want[at]
		at++
		if p.kind == 'c' && byte(p.bits) == 0 {
			expected = append(append(bytes.Clone(expected), 0), want[at]...)
			at++
		}
		require.Equal(t, string(expected), string(printf(p.words())), "%q of %#x with %v", p.text, p.bits, p.stars)
	}
}

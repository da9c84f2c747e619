package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// A header that is older than Go's structs would have C read the wrong bytes.
func TestTheHeaderIsOfTheStructsAsTheyAre(t *testing.T) {
	want, err := declare("../..")
	require.NoError(t, err)
	have, err := os.ReadFile("../fastpath/layout.h")
	require.NoError(t, err)
	require.Equal(t, string(want), string(have), "run go generate ./internal/fastpath")
}

// of declares type T and the constants of a source.
func of(t *testing.T, source string, args ...string) (string, error) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+source, 0)
	require.NoError(t, err)
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Sizes: sizes}
	p, err := config.Check("p", fset, []*ast.File{f}, nil)
	require.NoError(t, err)
	w := &writer{structs: map[string]string{}}
	if f.Decls[len(f.Decls)-1].(*ast.GenDecl).Tok == token.CONST {
		err = w.declareEnum(p, f.Decls[len(f.Decls)-1].(*ast.GenDecl), args)
	} else {
		err = w.declareStruct(p, "T", args)
	}
	return w.out.String(), err
}

func TestFieldsThatCDoesNotKnowAreOpaque(t *testing.T) {
	out, err := of(t, `import "sync/atomic"
type T struct { a byte; word atomic.Uint64; next *T; HostPtr uintptr; told atomic.Bool; tail []int }`, "t", "word", "HostPtr", "told")
	require.NoError(t, err)
	require.Equal(t, `
/* p.T */
struct t {
  uint8_t opaque_0[8];
  uint64_t word;
  uint8_t opaque_16[8];
  uintptr_t host_ptr;
  uint32_t told;
  uint8_t opaque_36[28];
};
_Static_assert(sizeof(struct t) == 64, "T");
`, out)
}

func TestEmbeddedStructsAreFlatAndArraysStay(t *testing.T) {
	out, err := of(t, "type Dim [3]int64\ntype E struct { Fn uintptr; Arg [5]uintptr }\ntype T struct { E; Grid Dim; n int32 }", "t")
	require.NoError(t, err)
	require.Contains(t, out, "  uintptr_t fn;\n  uintptr_t arg[5];\n  int64_t grid[3];\n  int32_t n;\n  uint8_t opaque_76[4];\n")
}

func TestWhatCCannotHaveIsRefused(t *testing.T) {
	_, err := of(t, "type T struct { s string }", "t")
	require.EqualError(t, err, "T: s: string: no type in C")
	_, err = of(t, "type T struct { s int32 }", "t", "gone")
	require.EqualError(t, err, "T has no fields [gone]")
	_, err = of(t, "const a = 1", "p", "b")
	require.EqualError(t, err, "package p has no constant b")
}

func TestConstantsHaveThePrefixOnce(t *testing.T) {
	out, err := of(t, "const ( tracedLaunch = iota + 1; oneMore = 1 << 20 )", "traced")
	require.NoError(t, err)
	require.Equal(t, "\n/* Constants of package p. */\nenum {\n  traced_launch = 1,\n  traced_one_more = 1048576,\n};\n", out)
}

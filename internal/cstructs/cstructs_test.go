package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

// structs are those that C knows already.
var structs map[string]string

// of declares type T and the constants of a source.
func of(t *testing.T, source string, args ...string) (string, error) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", "package p\n"+source, 0)
	require.NoError(t, err)
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Sizes: sizes}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	p, err := config.Check("p", fset, []*ast.File{f}, info)
	require.NoError(t, err)
	w := newWriter()
	maps.Copy(w.structs, structs)
	switch d := f.Decls[len(f.Decls)-1].(type) {
	case *ast.FuncDecl:
		err = w.declareFunction(p, info, d, args)
	case *ast.GenDecl:
		if d.Tok == token.CONST {
			err = w.declareEnum(p, d, args)
		} else if d.Tok == token.VAR {
			err = w.declareTransitions(p, info, d.Specs[0].(*ast.ValueSpec), args)
		} else {
			err = w.declareStruct(p, "T", args)
		}
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

func TestTransitionsOfCBecomeFunctions(t *testing.T) {
	const rows = `type row struct { from, to, by int; under string }
const ( Red = 3; Green = 5; inGo = 1; inC = 2 )
var table = []row{{Red, Green, inGo | inC, "one driver"}, {Green, Red, inGo, "one driver"}}`
	out, err := of(t, rows, "lamp", "lamp")
	require.NoError(t, err)
	require.Equal(t, `
/* p, red to green: one driver. */
static inline bool lamp_red_to_green(struct lamp * of, uint64_t word) {
  return lamp_move(of, word, 3, 5);
}
`, out)
	_, err = of(t, rows, "lamp")
	require.EqualError(t, err, "1 words: a table of transitions has two, struct and prefix")
	_, err = of(t, "var red = 1\ntype row struct { from int }\nvar table = []row{{red}}", "lamp", "lamp")
	require.EqualError(t, err, "red: a row of table is of constants")
}

func TestChecksForTestsAreLeftOut(t *testing.T) {
	out, err := of(t, "const enabled = false\nfunc f(a uint64) uint64 {\nif enabled {\npanic(a)\n}\nreturn a\n}", "f")
	require.NoError(t, err)
	require.Equal(t, "\n/* p.f */\nstatic inline uint64_t f(uint64_t a) {\n  return a;\n}\n", out)
}

func TestConstantsHaveThePrefixOnce(t *testing.T) {
	out, err := of(t, "const ( tracedLaunch = iota + 1; oneMore = 1 << 20 )", "traced")
	require.NoError(t, err)
	require.Equal(t, "\n/* Constants of package p. */\nenum {\n  traced_launch = 1,\n  traced_one_more = 1048576,\n};\n", out)
}

func TestFunctionsComputeInTheTypesOfGo(t *testing.T) {
	out, err := of(t, `import "math/bits"
const low = 7
func f(word, to uint64) uint32 {
	if word <= low {
		return 0
	}
	n := uint64(bits.Len64(word-1)) - 1
	return uint32(word&^low+n) + 1
}`, "g")
	require.NoError(t, err)
	require.Equal(t, `
/* p.f */
static inline uint32_t g(uint64_t word, uint64_t to) {
  if ((bool)(word <= (uint64_t)7)) {
    return (uint32_t)0;
  }
  uint64_t n = (uint64_t)((uint64_t)(64 - (uint64_t)__builtin_clzll((uint64_t)(word - (uint64_t)1))) - (uint64_t)1);
  return (uint32_t)((uint32_t)(uint64_t)((uint64_t)(word & ~ (uint64_t)7) + n) + (uint32_t)1);
}
`, out)
}

func TestFunctionsThatCCannotHaveAreRefused(t *testing.T) {
	for source, says := range map[string]string{
		"func f(s string) bool { return s == \"\" }":                                               "s: string: no type in C",
		"func f(a uint64) (uint64, bool) { return a, true }":                                       "2 results: C has one",
		"func f(a uint64) uint64 { for a > 1 { a-- }; return a }":                                  "f: *ast.IncDecStmt: no statement in C",
		"func f(a uint64) uint64 { if a > 1 { return 1 } else { return a } }":                      "f: else: no statement in C",
		"import \"sync/atomic\"\nfunc f(a, b *atomic.Uint64) bool { return a.Load() == b.Load() }": "f: a.Load() == b.Load(): C makes calls in operands in any order",
		"type T struct{}\nfunc f(t *T) bool { return t == nil }":                                   "t: p.T: no type in C",
		"func f(a []uint64) uint64 { return a[0] }":                                                "a: []uint64: no type in C",
		"func g(a uint64) uint64 { return a }\nfunc f(a uint64) uint64 { return g(a) }":            "f: g: no function in C",
	} {
		_, err := of(t, source, "f")
		require.EqualError(t, err, says, source)
	}
}

func TestMethodsWithAtomicOperationsBecomeFunctions(t *testing.T) {
	const source = `import "sync/atomic"
type T struct { slots [4]atomic.Uint64; unknown atomic.Int32 }
func (a *T) add(p uint64) bool {
	if a == nil {
		return false
	}
	for i := range uint64(4) {
		slot := &a.slots[(p+i)%4]
		old := slot.Load()
		if old == 0 && slot.CompareAndSwap(0, p) {
			a.unknown.Store(1)
			return true
		}
		old = slot.Swap(p)
		for old != p {
			if next := slot.Add(-old); next == p {
				old = next
			}
		}
	}
	return false
}`
	declare := func(args ...string) (string, error) {
		return of(t, source, args...)
	}
	_, err := declare("add")
	require.EqualError(t, err, "p.T: no type in C")
	structs = map[string]string{"p.T": "t"}
	defer func() { structs = nil }()
	out, err := declare("add", "release")
	require.NoError(t, err)
	require.Equal(t, `
/* p.T.add */
static inline bool add(struct t * a, uint64_t p) {
  if ((bool)(a == NULL)) {
    return false;
  }
  for (uint64_t i = 0; i < (uint64_t)4; i++) {
    uint64_t * slot = &(a->slots[(uint64_t)((uint64_t)(p + i) % (uint64_t)4)]);
    uint64_t old = __atomic_load_n(slot, __ATOMIC_SEQ_CST);
    if ((bool)((bool)(old == (uint64_t)0) && __sync_bool_compare_and_swap(slot, (uint64_t)0, p))) {
      __atomic_store_n(&a->unknown, (int32_t)1, __ATOMIC_RELEASE);
      return true;
    }
    old = __atomic_exchange_n(slot, p, __ATOMIC_SEQ_CST);
    while ((bool)(old != p)) {
      {
        uint64_t next = __atomic_add_fetch(slot, -(old), __ATOMIC_SEQ_CST);
        if ((bool)(next == p)) {
          old = next;
        }
      }
    }
  }
  return false;
}
`, out)
}

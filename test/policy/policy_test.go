package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/calls"
)

const module = "github.com/mgpu-runtime/mgpu"

// root is where each test begins. The go command resolves the files that a test opens by the
// changes of folder that tests make, not by those of TestMain: it would take a result from its cache
// although a file has changed.
const root = "../.."

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Name, Doc, Dir string
	Imports                    []string
	GoFiles, CgoFiles          []string
	CFiles, SFiles, HFiles     []string
	TestGoFiles, XTestGoFiles  []string
	IgnoredGoFiles, EmbedFiles []string
	Standard                   bool
}

// list runs the go command's list once for all tests.
var list = sync.OnceValues(func() (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-deps", "-json", module+"/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	all := map[string]listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		if path, ok := ours(p.ImportPath); ok {
			all[path] = p
		}
	}
	return all, nil
})

// packages returns the packages of this module, by path below the module's. Tests share the map.
func packages(t *testing.T) map[string]listed {
	t.Helper()
	all, err := list()
	require.NoError(t, err)
	require.Contains(t, all, "mgpu/driver")
	return all
}

// ours cuts the module's path off an import path; the root package is ".".
func ours(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

// under says whether path is one of dirs or lies below one.
func under(path string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return path == d || strings.HasPrefix(path, d+"/") })
}

var services = []string{"streampool", "modulecache", "alloccache", "launchgraph"}

// isa are the packages of the software GPU that instructions are made of.
var isa = []string{"softgpu/internal/wave", "softgpu/internal/matrix", "softgpu/internal/encoding", "softgpu/internal/bind", "softgpu/internal/rows",
	"softgpu/internal/watch"}

// forbidden are the import rules: no package of from, or below, imports a
// package of to, or below, but for itself.
var forbidden = []struct {
	from, to []string
	why      string
}{
	{[]string{"mgpu"}, []string{"internal/hip", "internal/cuda", "softgpu", "internal/null", "internal/gpuapi", "internal/dl"},
		"the runtime receives a driver and never imports one"},
	{services, services, "services never import each other"},
	{services, []string{"internal/hip", "internal/cuda", "softgpu", "internal/null", "internal/gpuapi", "internal/dl"},
		"services see a driver through the interfaces that they declare"},
	{isa, []string{"softgpu/internal/emu", "softgpu/internal/check"}, "instructions do not know who executes them"},
	{[]string{"softgpu/internal/wave", "softgpu/internal/matrix"}, []string{"softgpu/internal/encoding", "softgpu/internal/bind", "softgpu/internal/rows", "softgpu/internal/watch"},
		"state knows no instructions"},
	{[]string{"softgpu/internal/encoding"}, []string{"softgpu/internal/bind", "softgpu/internal/rows", "softgpu/internal/watch", "softgpu/internal/memory"},
		"how instructions are spelt depends on nothing that they do"},
	{[]string{"softgpu/internal/bind"}, []string{"softgpu/internal/rows", "softgpu/internal/watch"}, "binders know no rows"},
	{[]string{"softgpu/internal/waits"}, []string{"softgpu/internal/emu", "softgpu/internal/check"}, "a text is searched without running it"},
	{[]string{"softgpu/internal/watch"}, []string{"softgpu/internal/rows"}, "what is watched is an instruction, whatever its row"},
	{[]string{"softgpu/internal/alu"}, []string{"softgpu"}, "arithmetic knows neither instructions nor memory"},
	{[]string{"softgpu/internal/memory"}, append([]string{"softgpu/internal/emu", "softgpu/internal/check"}, isa...),
		"accesses to memory know no instructions"},
	{[]string{"softgpu/internal/samples"}, []string{"softgpu"}, "what tests take knows nothing of what they test"},
	{append([]string{"softgpu/internal/alu", "softgpu/internal/memory", "softgpu/internal/emu", "internal/codeobj"}, isa...), []string{"mgpu"},
		"decoding and executing need no driver contract"},
	{[]string{"internal/hip", "internal/cuda", "softgpu", "internal/null"}, services,
		"drivers lie below the services"},
	{[]string{"internal/hip"}, []string{"internal/cuda", "softgpu", "internal/null"}, "drivers don't know each other"},
	{[]string{"internal/cuda"}, []string{"internal/hip", "softgpu", "internal/null"}, "drivers don't know each other"},
	{[]string{"softgpu", "internal/null"}, []string{"internal/hip", "internal/cuda", "internal/gpuapi", "internal/dl"}, "drivers don't know each other"},
	{[]string{"internal/gpuapi"}, []string{"internal/hip", "internal/cuda"}, "what they share knows neither"},
	{[]string{"internal/fastpath"}, []string{"internal"}, "the fast path knows the runtime and its services only"},
	{[]string{"mgpu", "softgpu/internal", "internal/null", "internal/hip", "internal/cuda", "internal/gpuapi", "internal/dl"}, []string{"internal/fastpath", "internal/guest", "internal/process"},
		"what stands before Go is package main's"},
	{[]string{".", "internal/trace", "mgpu"}, []string{"internal/timeline"}, "timelines are made by the command, not in a program's process"},
	{[]string{"internal/calls"}, []string{"internal", "mgpu"}, "what a call is depends on nothing"},
	{[]string{"internal/process"}, []string{"internal", "mgpu"}, "the host process is known without the library"},
	{[]string{"internal/guest"}, []string{"internal", "mgpu"}, "any library can be a guest: it says what it needs in guest_library"},
	{[]string{"softgpu/rocm"}, []string{"mgpu", "softgpu/internal/hostcall", "internal/hip", "internal/cuda", "internal/gpuapi", "internal/null"},
		"AMD's stack lies on the emulator"},
	{[]string{".", "mgpu", "internal", "cmd"}, []string{"softgpu/internal", "softgpu/rocm", "softgpu/disassembly"}, "the library sees of the software GPU its driver alone"},
	{[]string{"softgpu"}, []string{"internal/fastpath", "internal/timeline", "internal/calls", "internal/addrmap"}, "the software GPU sees of the library its contract alone"},
}

func TestImportsGoDownwards(t *testing.T) {
	t.Chdir(root)
	for path, p := range packages(t) {
		for _, imported := range p.Imports {
			to, ok := ours(imported)
			if !ok {
				continue
			}
			require.NotEqual(t, ".", to, "%s imports the root package", path)
			for _, rule := range forbidden {
				if !under(path, rule.from...) || !under(to, rule.to...) {
					continue
				}
				if path == to || shareRoot(path, to, rule.from) || path == "mgpu" && to == "mgpu/driver" {
					continue
				}
				require.Fail(t, "forbidden import", "%s imports %s: %s", path, to, rule.why)
			}
			if path == "mgpu/driver" {
				require.Fail(t, "the driver contract is a leaf", "it imports %s", to)
			}
			if under(path, services...) && under(to, "mgpu") {
				require.Equal(t, "mgpu/driver", to, "%s imports it; services import only the contract", path)
			}
		}
	}
}

// Regions see the runtime through the interfaces that they declare, and two files of mgpu know them:
// one is what they see, the other what is seen of them.
func TestRegionsStandBehindOneInterface(t *testing.T) {
	t.Chdir(root)
	const region = "mgpu/internal/region"
	all := packages(t)
	require.Contains(t, all, region)
	below := append([]string{"mgpu/driver", "internal/hostmem", "internal/locks"}, services...)
	for path, p := range all {
		for _, imported := range p.Imports {
			to, ok := ours(imported)
			if ok && path == region {
				require.Contains(t, below, to, "regions import %s", to)
			}
			require.False(t, to == region && path != "mgpu", "%s imports %s", path, region)
		}
	}
	for _, file := range all["mgpu"].GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(all["mgpu"].Dir, file), nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			if i.Path.Value == `"`+module+"/"+region+`"` {
				require.Contains(t, []string{"region.go", "regions.go"}, file, "what it needs of regions is the interface of regions.go")
			}
		}
	}
}

// shareRoot says whether both paths lie in the same one of dirs.
func shareRoot(a, b string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return under(a, d) && under(b, d) })
}

// usesC reports whether a package may hold C. Others build with CGO_ENABLED=0; so does the command, which then knows
// neither the vendors' libraries nor which descriptors were closed and which signals ignored when it started.
func usesC(path string) bool {
	return slices.Contains([]string{".", "cmd/mgpu", "internal/guest", "internal/fastpath", "internal/process", "softgpu/rocm/kfd/library", "test/model/judge"}, path) ||
		under(path, "internal/dl", "internal/gpuapi", "internal/hip", "internal/cuda")
}

func TestCStaysInItsPackages(t *testing.T) {
	t.Chdir(root)
	for path, p := range packages(t) {
		if usesC(path) {
			continue
		}
		require.Empty(t, p.CgoFiles, "%s uses cgo", path)
		require.Empty(t, p.CFiles, "%s holds C files that would be compiled into it", path)
	}
}

// A process that makes one call pays for everything that packages do when Go starts.
func TestTheLibraryStartsWithoutWork(t *testing.T) {
	t.Chdir(root)
	work := regexp.MustCompile(`(?m)^func init\(\)|^(?:var |\t)\w+ += regexp\.MustCompile`)
	all, queue, seen := packages(t), []string{"."}, map[string]bool{".": true}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		for _, file := range slices.Concat(all[path].GoFiles, all[path].CgoFiles) {
			text, err := os.ReadFile(filepath.Join(all[path].Dir, file))
			require.NoError(t, err)
			require.Empty(t, work.FindString(string(text)), "%s/%s: do it when it is first needed (sync.OnceValue)", path, file)
		}
		for _, imported := range all[path].Imports {
			if to, ok := ours(imported); ok && !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	require.Greater(t, len(seen), 20)
}

// The go command, and with it build.mk, knows the headers of a package's own folder, and
// files that a Go file of this or an imported package embeds.
func TestTheGoCommandKnowsEveryHeader(t *testing.T) {
	t.Chdir(root)
	include := regexp.MustCompile(`(?m)^(?:// )?#include "([^"]+)"`)
	known := map[string]bool{}
	all := packages(t)
	for _, p := range all {
		for _, file := range slices.Concat(p.CFiles, p.HFiles, p.EmbedFiles) {
			known[file] = true
		}
	}
	for path, p := range all {
		for _, file := range slices.Concat(p.CgoFiles, p.CFiles, p.HFiles, p.SFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			require.NoError(t, err)
			for _, m := range include.FindAllSubmatch(text, -1) {
				name := string(m[1])
				if name == "textflag.h" || strings.HasPrefix(name, "_cgo_") {
					continue // Go's own
				}
				require.True(t, known[filepath.Base(name)], "%s/%s includes %s, which no package has or embeds", path, file, name)
			}
		}
	}
}

// The state of an entry or a block changes by the tables of transitions: elsewhere nothing writes the
// word that holds the state, but for counts and bits beside it.
func TestStatesChangeByTheirTables(t *testing.T) {
	t.Chdir(root)
	inC := regexp.MustCompile(`__(?:atomic_(?:store|exchange|compare|fetch|\w+_fetch)|sync_)\w*\(\s*&\w+->word\b|->word\s*=[^=]|\b(?:entry|block)_move\(`)
	inGo := regexp.MustCompile(`\.word\.(?:Store|Swap|CompareAndSwap|Add|And|Or)\(`)
	besides := map[string]int{
		"streampool/entry.go":        2, // moveUnchanged
		"streampool/submission.go":   5, // counts and rounds
		"alloccache/block.go":        1, // moveUnchanged
		"alloccache/alloc.go":        2, // C's leave and trust
		"alloccache/scope_blocks.go": 1, // the end of C's leave
	}
	found := map[string]int{}
	for path, p := range packages(t) {
		switch {
		case under(path, "streampool", "alloccache"):
			for _, name := range p.GoFiles {
				if n := len(inGo.FindAllString(source(t, filepath.Join(path, name)), -1)); n != 0 {
					found[filepath.Join(path, name)] = n
				}
			}
		case path == "internal/fastpath":
			for _, name := range slices.Concat(p.CFiles, p.HFiles) {
				if name != "layout.h" {
					require.Empty(t, inC.FindString(source(t, filepath.Join(path, name))), "%s: C's transitions are functions of layout.h", name)
				}
			}
		}
	}
	require.Equal(t, besides, found)
}

// A lock that has no place in the order of internal/locks is taken in any order.
func TestLocksHaveAPlaceInTheirOrder(t *testing.T) {
	t.Chdir(root)
	for path, p := range packages(t) {
		if path != "." && !under(path, append([]string{"mgpu", "internal/trace", "internal/addrmap", "internal/fastpath"}, services...)...) {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			require.NotRegexp(t, `\bsync\.(?:RW)?Mutex\b`, source(t, filepath.Join(path, name)), "%s/%s: a class of internal/locks says when it is taken", path, name)
		}
	}
}

func TestTheRootHoldsFewSources(t *testing.T) {
	t.Chdir(root)
	var files []string
	for _, kind := range []string{"*.c", "*.h", "*.go"} {
		found, err := filepath.Glob(kind)
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.Contains(t, files, "main.go")
	require.LessOrEqual(t, len(files), 10, "%v: other C and Go files have a package of their own", files)
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	t.Chdir(root)
	for path, p := range packages(t) {
		require.NotEmpty(t, p.Doc, "package %s has no doc comment", path)
	}
}

func TestUnsafeStaysInFilesNamedForIt(t *testing.T) {
	t.Chdir(root)
	for path, p := range packages(t) {
		if usesC(path) {
			continue // cgo can't do without
		}
		for _, file := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(file, "_unsafe.go") || strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, i := range f.Imports {
				require.NotEqual(t, `"unsafe"`, i.Path.Value, "%s/%s", path, file)
			}
		}
	}
}

// forTests are modules that the library itself must not contain.
var forTests = []string{"github.com/stretchr/testify", "github.com/golang/mock"}

func TestTestModulesStayInTests(t *testing.T) {
	t.Chdir(root)
	for path, p := range packages(t) {
		if under(path, "test", "internal/drivertest") {
			continue // these are tests as a whole
		}
		for _, imported := range p.Imports {
			require.False(t, under(imported, forTests...), "%s imports %s", path, imported)
		}
	}
}

// required finds the modules that a go.mod requires itself.
var required = regexp.MustCompile(`(?m)^\t(\S+) v\S+$`)

func TestEachDependencyHasItsReason(t *testing.T) {
	t.Chdir(root)
	page, err := os.ReadFile("RATIONALE.md")
	require.NoError(t, err)
	_, reasons, _ := strings.Cut(string(page), "## Why these dependencies?")
	for _, mod := range []string{"go.mod", "bench/plot/go.mod"} {
		text, err := os.ReadFile(mod)
		require.NoError(t, err)
		found := required.FindAllSubmatch(text, -1)
		require.NotEmpty(t, found, mod)
		for _, m := range found {
			require.Contains(t, reasons, strings.TrimPrefix(string(m[1]), "github.com/"), "%s requires it", mod)
		}
	}
}

// unsearchable finds the definitions of functions whose names are too common to be searched for.
var unsearchable = regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|[a-z][\w *]*[ *])(is|in|same|made|mine|take|room)\([^;]*$`)

func TestFunctionsHaveNamesThatCanBeSearchedFor(t *testing.T) {
	t.Chdir(root)
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".c", ".h"}, filepath.Ext(path)) {
			return err
		}
		for _, m := range unsearchable.FindAllStringSubmatch(source(t, path), -1) {
			t.Errorf("%s: a function called %s can't be searched for", path, m[1])
		}
		return nil
	}))
}

func TestScriptsCheckCallsEachOfItsFunctions(t *testing.T) {
	t.Chdir(root)
	script, err := os.ReadFile("scripts/check")
	require.NoError(t, err)
	text := string(script)
	defined := regexp.MustCompile(`(?m)^(\w+)\(\) \{`).FindAllStringSubmatch(text, -1)
	require.Greater(t, len(defined), 10)
	for _, m := range defined {
		call := regexp.MustCompile(`(?m)\bcheck \S+ ` + m[1] + `$|(?:^|[{(|] ?)` + m[1] + ` `)
		require.True(t, call.MatchString(text), "nothing calls %s", m[1])
	}
}

func TestNoPackageIsNamedForNothing(t *testing.T) {
	t.Chdir(root)
	banned := regexp.MustCompile(`^(utils?|helpers?|managers?|processors?|common|misc)$`)
	for path := range packages(t) {
		for _, part := range strings.Split(path, "/") {
			require.False(t, banned.MatchString(part), path)
		}
	}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".go"), "_test")
			require.False(t, banned.MatchString(name), path)
		}
		return err
	}))
}

// The functions of the ABI, as each of its places names them.
var (
	inHeader  = regexp.MustCompile(`\b(mgpux?[A-Z]\w*)\(`)
	inEntry   = regexp.MustCompile(`(?m)^API [^(]*?\b(mgpux?[A-Z]\w*)\(`)
	inEnter   = regexp.MustCompile(`\bENTER\((mgpux?[A-Z]\w*)\)`)
	entry     = regexp.MustCompile(`(?ms)^API [^(]*?\b(mgpux?[A-Z]\w*)\(.*?^}`)
	begins    = regexp.MustCompile(`(?m)^#define ENTER_(mgpux?[A-Z]\w*) `)
	inSymbols = regexp.MustCompile(`(?m)^(\S+) [TDBRVWi]\b`)
	comments  = regexp.MustCompile(`(?s)/\*.*?\*/`)
)

// named gives the sorted, distinct first groups of all matches in text.
func named(re *regexp.Regexp, text string) []string {
	var names []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	sort.Strings(names)
	return slices.Compact(names)
}

func source(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return comments.ReplaceAllString(string(text), "")
}

// wantNamed fails with the message alone: the lists of names are long.
func wantNamed(t *testing.T, list []string, name, format string, args ...any) {
	t.Helper()
	if !slices.Contains(list, name) {
		t.Errorf(format, args...)
	}
}

func TestHeaderAndEntryPointsNameTheSameFunctions(t *testing.T) {
	t.Chdir(root)
	header := named(inHeader, source(t, "include/mgpu_runtime.h"))
	require.Greater(t, len(header), 25)
	entries := source(t, "entry.c") + source(t, "entry_extensions.c")
	var rows []string
	for _, c := range calls.List {
		rows = append(rows, c.Name)
	}
	functions, entered, begun := named(inEntry, entries), named(inEnter, entries), named(begins, source(t, "internal/fastpath/calls.h"))
	for _, name := range header {
		wantNamed(t, functions, name, "%s is in include/mgpu_runtime.h: entry.c or entry_extensions.c needs it, as API", name)
		wantNamed(t, rows, name, "%s is in include/mgpu_runtime.h: include/mgpu_calls.def needs a row, and then 'go generate ./mgpu'", name)
	}
	for _, name := range functions {
		wantNamed(t, header, name, "%s is an entry: include/mgpu_runtime.h has to declare it", name)
	}
	for _, name := range rows {
		wantNamed(t, header, name, "%s has a row in include/mgpu_calls.def: include/mgpu_runtime.h has to declare it", name)
	}
	for _, name := range begun {
		wantNamed(t, entered, name, "the entry of %s has to begin with ENTER(%s), as its row says", name, name)
	}
	for _, name := range entered {
		wantNamed(t, begun, name, "the entry of %s has ENTER, and its row says that C answers alone", name)
	}
}

func TestEntriesRecordTheHandlesThatTheyReturn(t *testing.T) {
	t.Chdir(root)
	found := 0
	for _, m := range entry.FindAllStringSubmatch(source(t, "entry.c")+source(t, "entry_extensions.c"), -1) {
		c := calls.Named(m[1])
		if (c.Creates != "" || c.Drops != nil || c.Does == calls.FindsFunction) && c.Handle() == calls.ResultAt {
			found++
			require.Contains(t, m[0], "TRACE_RESULT(", "%s: the ledger and the timeline need what it returns", c.Name)
		}
	}
	require.Greater(t, found, 5)
}

func TestBuiltLibraryExportsTheHeader(t *testing.T) {
	t.Chdir(root)
	library := os.Getenv("MGPU_LIB")
	if library == "" {
		library = "build/libmlir_rocm_runtime.so"
	}
	if _, err := os.Stat(library); err != nil {
		t.Skipf("the library is not built: %v", err)
	}
	out, err := exec.Command("nm", "-D", "--defined-only", "--format=posix", library).Output()
	require.NoError(t, err)
	header, symbols := named(inHeader, source(t, "include/mgpu_runtime.h")), named(inSymbols, string(out))
	for _, name := range header {
		wantNamed(t, symbols, name, "%s is declared, and %s does not export it; 'make' builds it again", name, library)
	}
	for _, name := range symbols {
		wantNamed(t, header, name, "%s exports %s, which include/mgpu_runtime.h does not declare", library, name)
	}
}

// TestThePageOfTheAPIListsTheExtensions wants a row in docs/api.md for each mgpux call.
func TestThePageOfTheAPIListsTheExtensions(t *testing.T) {
	t.Chdir(root)
	page, err := os.ReadFile("docs/api.md")
	require.NoError(t, err)
	listed := regexp.MustCompile("`(mgpux\\w+)`").FindAllStringSubmatch(string(page), -1)
	var rows []string
	for _, m := range listed {
		rows = append(rows, m[1])
	}
	for _, name := range named(inHeader, source(t, "include/mgpu_runtime.h")) {
		if strings.HasPrefix(name, "mgpux") {
			wantNamed(t, rows, name, "%s is in include/mgpu_runtime.h: docs/api.md needs a row for it", name)
		}
	}
}

// Another thread of the program may change the environment at any time after its first call.
// Go's own copy, which only GODEBUG is read from, is the one that internal/guest makes up.
func TestTheEnvironmentIsReadInOnePlace(t *testing.T) {
	t.Chdir(root)
	inC := regexp.MustCompile(`\b(?:secure_)?getenv\s*\(|\benviron\b|\b(?:localtime|mktime|tzset|setlocale|tempnam|popen|system|exec[lv]p)\s*\(`)
	inGo := regexp.MustCompile(`\bC\.(?:secure_getenv|getenv|environ)\b|\b(?:os|syscall)\.(?:Getenv|LookupEnv|Environ|ExpandEnv)\b`)
	asked := map[string][]string{}
	for path, p := range packages(t) {
		if under(path, "test", "bench", "cmd", "scripts", "internal/drivertest", "softgpu/disassembly") {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles, p.HFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			require.NoError(t, err)
			file := filepath.Join(path, name)
			for _, asks := range []*regexp.Regexp{inC, inGo} {
				if asks == inC && strings.HasSuffix(name, ".go") {
					continue
				}
				asked[file] = append(asked[file], asks.FindAllString(string(text), -1)...)
			}
		}
	}
	require.NotEmpty(t, asked["internal/process/environment.c"])
	maps.DeleteFunc(asked, func(_ string, found []string) bool { return len(found) == 0 })
	delete(asked, "internal/process/environment.c")
	require.Equal(t, map[string][]string{"softgpu/internal/alu/processor_amd64.go": {"os.Getenv"}}, asked,
		"ask process.Getenv or, in C, environment_get")
}

// What the library writes lies in other people's folders, and must not stop the host.
func TestFilesAreWrittenByOnePackage(t *testing.T) {
	t.Chdir(root)
	writes := regexp.MustCompile(`\bO_CREAT\b|\bos\.(?:Create|CreateTemp|WriteFile)\b|\bfopen\s*\(`)
	for path, p := range packages(t) {
		if under(path, "test", "bench", "cmd", "scripts", "internal/hostfile", "internal/drivertest", "softgpu/disassembly") || p.Name == "main" && path != "." && path != "softgpu/rocm/kfd/library" {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.CFiles) {
			require.Empty(t, writes.FindString(source(t, filepath.Join(path, name))), "%s: internal/hostfile writes files", filepath.Join(path, name))
		}
	}
}

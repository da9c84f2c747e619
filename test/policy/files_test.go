package policy

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// uses returns which files of a package use which others, and by what name.
func uses(t *testing.T, pkg string) map[string]map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./"+pkg).Output()
	require.NoError(t, err)
	var p struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	exports := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); exports[p.ImportPath] = p.Export {
		require.NoError(t, dec.Decode(&p))
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles { // the last package is the one that was asked for
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	c := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	checked, err := c.Check(p.ImportPath, set, files, &info)
	require.NoError(t, err)
	file := func(at token.Pos) string { return filepath.Base(set.Position(at).Filename) }
	all := map[string]map[string]string{}
	for at, what := range info.Uses {
		// Fields and local names have another scope; methods have none.
		if _, ok := what.(*types.Func); what.Pkg() != checked || !ok && what.Parent() != checked.Scope() {
			continue
		}
		if from, to := file(at.Pos()), file(what.Pos()); from != to {
			if all[from] == nil {
				all[from] = map[string]string{}
			}
			all[from][to] = max(all[from][to], what.Name())
		}
	}
	return all
}

// Callers stand above what they call: read from the bottom, each file is understood without the
// later ones.
func TestFilesOfMgpuUseEachOtherInOneDirection(t *testing.T) {
	t.Chdir(root)
	all := uses(t, "mgpu")
	require.Greater(t, len(all), 40)
	arrows := 0
	for _, to := range all {
		arrows += len(to)
	}
	t.Logf("%d files use others, in %d pairs", len(all), arrows)
	var path []string
	done := map[string]bool{}
	var visit func(file string)
	visit = func(file string) {
		if at := slices.Index(path, file); at >= 0 {
			var circle []string
			for i, from := range path[at:] {
				to := append(path[at:], file)[i+1]
				circle = append(circle, from+" uses "+all[from][to]+" of "+to)
			}
			require.Fail(t, "a circle of files", "%s: move one of them to a file of its own, below both", strings.Join(circle, ", "))
		}
		if done[file] {
			return
		}
		path = append(path, file)
		for _, to := range slices.Sorted(maps.Keys(all[file])) {
			visit(to)
		}
		path = path[:len(path)-1]
		done[file] = true
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		visit(file)
	}
}

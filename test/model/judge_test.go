//go:build !spin

package model

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	_ "github.com/mgpu-runtime/mgpu/test/model/programs" // with all that the judge is built of in Go
)

const fastpath = "internal/fastpath"

// renamed are the functions that compiled C calls and that test/model/judge/tsan.c makes.
func renamed() (pairs string) {
	names := []string{"init", "func_entry", "func_exit", "read_range", "write_range"}
	for _, n := range []int{1, 2, 4, 8, 16} {
		for _, kind := range []string{"read", "write", "unaligned_read", "unaligned_write"} {
			names = append(names, fmt.Sprint(kind, n))
		}
	}
	for _, bits := range []int{8, 16, 32, 64} {
		for _, op := range []string{"load", "store", "exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "compare_exchange_strong", "compare_exchange_weak"} {
			names = append(names, fmt.Sprintf("atomic%d_%s", bits, op))
		}
	}
	for _, name := range names {
		pairs += "__tsan_" + name + " judge_" + name + "\n"
	}
	for _, name := range []string{"aligned_alloc", "malloc", "calloc", "free", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_once"} {
		pairs += name + " judge_" + name + "\n"
	}
	return pairs
}

// compiler compiles the C of internal/fastpath for the race detector, from the folder that it
// lies in, and other C as ever.
const compiler = `#!/bin/bash
case $PWD,$* in
*/internal/fastpath,*' -c '*) ;;
*) exec "${JUDGE_CC:-cc}" "$@" ;;
esac
args=()
out= last= instrument=
for a; do
	case $last in -o) out=$a ;; esac
	last=$a
	case $a in
	*_cgo_*|*.cgo2.c) ;;
	*.c) [ -f "${0%/*}/${a##*/}" ] && a=${0%/*}/${a##*/} instrument=-fsanitize=thread ;;
	esac
	args+=("$a")
done
"${JUDGE_CC:-cc}" "${args[@]}" $instrument ${instrument:+-g -include "${0%/*}/faults.h"} || exit
[ -z "$instrument" ] || objcopy --redefine-syms="${0%/*}/renamed" "$out"
`

// judge builds test/model/judge with all faults in it, and returns the program.
func judge(t *testing.T) string {
	// The go command repeats a test when a file has changed that the test imports or reads.
	read(t, "test/model/judge/*.[cgh]*", fastpath+"/*.go", "include/*.h")
	root := chost.Root()
	changed := map[string]string{}
	text := func(file string) string {
		if s, ok := changed[file]; ok {
			return s
		}
		s, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		return string(s)
	}
	sources, err := filepath.Glob(filepath.Join(root, fastpath, "*.[ch]"))
	require.NoError(t, err)
	for _, s := range sources {
		file := filepath.Join(fastpath, filepath.Base(s))
		changed[file] = text(file)
	}
	for i, f := range faults {
		before := text(f.file)
		require.Equal(t, 1, strings.Count(before, f.old), "%s: fault %q is to change this text: %s", f.file, f.name, f.old)
		condition := fmt.Sprintf("FAULT(%d)", i+1)
		if strings.HasSuffix(f.file, ".go") {
			condition = fmt.Sprintf("(judgeFault == %d)", i+1)
		}
		changed[f.file] = strings.Replace(before, f.old, strings.ReplaceAll(f.new, "FAULT", condition), 1)
	}
	changed[filepath.Join(fastpath, "faults.h")] = "void schedule_pause(unsigned long);\nextern int judge_fault;\n#define FAULT(n) (judge_fault == (n))\n"
	changed[filepath.Join(fastpath, "renamed")] = renamed()
	changed[filepath.Join(fastpath, "cc")] = compiler

	// The go command compiles again where the name of the compiler differs. Other clones, which
	// may be tested at the same time, have folders of their own.
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", root)
	for _, file := range sorted(changed) {
		fmt.Fprintf(h, "%s\x00%s\x00", file, changed[file])
	}
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("mgpu-judge-%x", h.Sum(nil)[:8]))
	require.NoError(t, os.MkdirAll(folder, 0o755))
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	replace := map[string]string{}
	for i, file := range sorted(changed) {
		at := filepath.Join(folder, filepath.Base(file))
		if strings.HasSuffix(file, ".go") {
			at = filepath.Join(folder, fmt.Sprint(i, ".go"))
			replace[filepath.Join(root, file)] = at
			choice := filepath.Join(filepath.Dir(file), "judge_fault.go")
			replace[filepath.Join(root, choice)] = filepath.Join(folder, filepath.Base(filepath.Dir(file))+"_fault.go")
			require.NoError(t, os.WriteFile(replace[filepath.Join(root, choice)], fmt.Appendf(nil,
				"package %s\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar judgeFault, _ = strconv.Atoi(os.Getenv(\"JUDGE_FAULT\"))\n", filepath.Base(filepath.Dir(file))), 0o644))
		}
		require.NoError(t, os.WriteFile(at, []byte(changed[file]), 0o755))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o644))

	program := filepath.Join(t.TempDir(), "judge")
	wraps := "-linkmode=external -extldflags=-Wl"
	wrapped := []string{"init", "map_shadow", "acquire", "release_merge", "go_ignore_sync_begin", "go_ignore_sync_end"}
	for _, op := range []string{"load", "store", "exchange", "fetch_add", "fetch_and", "fetch_or", "compare_exchange"} {
		wrapped = append(wrapped, "go_atomic32_"+op, "go_atomic64_"+op)
	}
	for _, f := range wrapped {
		wraps += ",--wrap=__tsan_" + f
	}
	c := exec.Command("go", "build", "-race", "-tags=invariants", "-overlay="+filepath.Join(folder, "overlay.json"), "-ldflags="+wraps, "-o", program, "./test/model/judge")
	c.Dir = root
	c.Env = append(os.Environ(), "CGO_ENABLED=1", "CC="+filepath.Join(folder, "cc"))
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

func sorted(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// try runs random programs of a kind, and returns what is printed and whether all was right.
func try(t *testing.T, program, kind string, devices, seed, programs, fault int) (string, bool) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // so that one that hangs is told
	defer cancel()
	c := exec.CommandContext(ctx, program, kind, fmt.Sprint(devices), fmt.Sprint(seed), fmt.Sprint(programs), "3000")
	c.Env = append(os.Environ(), "GORACE=halt_on_error=1", fmt.Sprint("JUDGE_FAULT=", fault))
	out, err := c.CombinedOutput()
	require.NoError(t, ctx.Err(), "hangs: %s", out)
	return located(program, string(out)), err == nil
}

// located gives the C functions of a report their names and lines.
func located(program, report string) string {
	unknown := regexp.MustCompile(`C:(0x[0-9a-f]+)\(\)\n.*`)
	return unknown.ReplaceAllStringFunc(report, func(line string) string {
		out, _ := exec.Command("addr2line", "-f", "-s", "-e", program, unknown.FindStringSubmatch(line)[1]).Output()
		return strings.Join(strings.Fields(string(out)), " ")
	})
}

// quickest is the fault that make test looks for: it is found in the first programs.
const quickest = "C gives a stream back with work pending"

func TestCAndGoKeepTheProtocolTogether(t *testing.T) {
	program := judge(t)
	programs, kinds, devices := 4, []string{"C", "both"}, 1
	if chost.Long() { // Go alone: also test/model/programs
		programs, kinds, devices = 20, []string{"C", "both", "Go"}, 2
	}
	for _, kind := range kinds {
		for n := 1; n <= devices; n++ {
			out, ok := try(t, program, kind, n, 1, programs, 0)
			require.True(t, ok, "%s on %d devices: %s", kind, n, out)
			t.Log(kind, n, out)
		}
	}
	sought := 0
	for i, f := range faults {
		if !chost.Long() && f.name != quickest {
			continue // some take minutes to be found on a loaded machine: test-long looks for all
		}
		sought++
		t.Run(strings.ReplaceAll(f.name, " ", "-"), func(t *testing.T) {
			found, seed, start := "", 1, time.Now()
			for ; seed < 400 && found == ""; seed += 3 {
				if out, ok := try(t, program, f.kind, 1, seed, 3, i+1); !ok {
					found = out
				}
			}
			require.Regexp(t, f.found, found, "not found")
			t.Logf("found in %d programs, %.1f s", seed-1, time.Since(start).Seconds())
		})
	}
	require.NotZero(t, sought, "faults has %q no more", quickest)
}

package abi

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// A kernel that is looked up alternately with many others is found without entering Go.
func TestLookupsOfManyKernelsStayInC(t *testing.T) {
	host := chost.Build(t, "lookups", []string{filepath.Join("hosts", "lookups.c")})
	for kernels, most := range map[int]int{1: 0, 10: 0, 20: 0, 100: 0, 1000: 0, 10000: 100} {
		r := chost.Run(t, nil, host, strconv.Itoa(kernels))
		clean(t, r)
		var asked []int
		for line := range strings.Lines(r.Stdout) {
			if _, n, found := strings.Cut(line, ": asked "); found {
				v, err := strconv.Atoi(strings.TrimSpace(n))
				require.NoError(t, err)
				asked = append(asked, v)
			}
		}
		require.Len(t, asked, 4, r.Stdout)
		require.Equal(t, kernels, asked[0], "nothing is known at first")
		require.LessOrEqual(t, asked[2], most, "of %d kernels in the third turn", kernels)
		require.Equal(t, kernels, asked[3], "an unload voids them")
		require.Contains(t, r.Stdout, "forgotten: 1\nwrong: 0\n")
	}
}

// Modules that a thread loads and unloads alternately are returned again without entering Go.
func TestAThreadKeepsAFewModules(t *testing.T) {
	host := chost.Build(t, "kept", []string{filepath.Join("hosts", "kept.c")})
	r := chost.Run(t, nil, host)
	clean(t, r)
	require.Equal(t, `1 in turn: asked 0, unloaded 0, wrong 0
2 in turn: asked 0, unloaded 0, wrong 0
8 in turn: asked 0, unloaded 0, wrong 0
9 in turn: asked 27, unloaded 27, wrong 0
2 in turn: asked 0, unloaded 0, wrong 0
changed: 1100
by another thread: asked 0, unloaded 0, again 1
once too often: unloaded 2
2 in turn: asked 0, unloaded 0, wrong 0
lost: comparing 0, asked 2
lost while it was loaded: noted 0
`, r.Stdout)
}

// C finds out whether an image is in a library's constants without looking at all libraries.
func TestLoadsOfLibrariesImagesWalkNoObjects(t *testing.T) {
	r := chost.Run(t, []string{soft}, linked(t, "walks.c"), plugins(t, "plugin.c")...)
	clean(t, r)
	require.Equal(t, "at the start: walked\n2000 loads: walked 0, the same 2000\n", r.Stdout)
}

// lookupFaults leave a rule of internal/fastpath/lookup.c out: a piece of its text, and what
// stands there instead.
var lookupFaults = map[string][2]string{
	"nothing holds the copy while it is compared": {"        !ref_move(r, seen, ref_comparing))\n      continue;\n    seen = seen / ref_states * ref_states + ref_comparing;\n",
		"        false)\n      continue;\n"},
	"a loss during the load is not noticed": {"if (lookup_losses() != asked)", "if (lookup_losses() != asked && false)"},
	"a loss does not report a comparison":   {"comparing |= seen % ref_states == ref_comparing;", ";"},
	"a loss voids no notes":                 {"t != NULL; t = t->next)\n    for (struct module_ref", "t == this_thread; t = t->next)\n    for (struct module_ref"},
	"two threads move one reference": {"  return __atomic_compare_exchange_n(&r->state, &seen,\n                                     seen / ref_states * ref_states + owner,\n                                     false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);",
		"  __atomic_store_n(&r->state, seen / ref_states * ref_states + owner, __ATOMIC_RELEASE);\n  return true;"},
}

// C keeps modules while other threads load, unload and lose them.
func TestCHoldsNoModuleThatIsGone(t *testing.T) {
	seconds := "1"
	if chost.Long() {
		seconds = "30"
	}
	fastpath := filepath.Join(chost.Root(), "internal", "fastpath")
	for _, sanitizer := range []string{"thread", "address"} {
		t.Run(sanitizer, func(t *testing.T) {
			host := chost.Build(t, "holding", source("holding.c"), "-I"+fastpath, chost.Sanitizer(t, sanitizer), "-g")
			r := chost.Run(t, nil, host, seconds)
			clean(t, r)
			require.Equal(t, "given, left 0\n", r.Stdout)
		})
	}
	if !chost.Long() {
		return
	}
	code, err := os.ReadFile(filepath.Join(fastpath, "lookup.c"))
	require.NoError(t, err)
	for name, fault := range lookupFaults {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(string(code), fault[0]), "the text that is replaced")
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "lookup.c"), []byte(strings.Replace(string(code), fault[0], fault[1], 1)), 0o600))
			host := chost.Build(t, "holding", source("holding.c"), "-I"+folder, "-I"+fastpath, chost.Sanitizer(t, "address"), "-g")
			r := chost.Run(t, nil, host, "10")
			require.NotEqual(t, "exit 0", r.End, "not found")
		})
	}
}

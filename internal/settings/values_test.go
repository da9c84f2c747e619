package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimitsAreSizesOrShares(t *testing.T) {
	for text, want := range map[string]Limit{
		"50%": {Share: .5}, "100%": {Share: 1}, "0%": {}, "4GiB": {Bytes: 4 << 30}, "4 GiB": {Bytes: 4 << 30}, "1.5K": {Bytes: 1536}, "12": {Bytes: 12},
		"2GB": {Bytes: 2e9},
	} {
		got, ok := ParseLimit(text)
		require.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "x", "-1", "101%", "4Gi", "%", "nan%", "99999999999999TiB", "4GiB more"} {
		_, ok := ParseLimit(text)
		assert.False(t, ok, text)
	}
}

func FuzzLimits(f *testing.F) {
	for _, text := range []string{"", "4GiB", "50%", "1.5K", "..", "9e9%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l, ok := ParseLimit(text); ok {
			assert.True(t, l.Share >= 0 && l.Share <= 1 && l.Bytes <= 1<<62, text)
		}
	})
}

func TestValuesThatAreNoChoiceAreChecked(t *testing.T) {
	for name, values := range map[string]struct{ right, wrong []string }{
		"MGPU_DEVICE":        {[]string{"0", "12", "rank"}, []string{"-1", "x", "1.5"}},
		"MGPU_MEM_LIMIT":     {[]string{"0", "50%", "4GiB"}, []string{"101%", "-1", "much"}},
		"MGPU_TRACE_LIMIT":   {[]string{"1GiB", "last:64MiB"}, []string{"last:", "x", "first:1GiB", "0", "last:0"}},
		"MGPU_SOFT_DEVICES":  {[]string{"1", "64"}, []string{"0", "65", "-1", "two"}},
		"MGPU_SOFT_MEMORY":   {[]string{"8GiB"}, []string{"plenty", "50%"}},
		"MGPU_SOFT_TIMEOUT":  {[]string{"10", "0.5", "1m30s"}, []string{"-1s", "soon", "1e300", "nan"}},
		"MGPU_SOFT_SCHEDULE": {[]string{"0", "7", "18446744073709551615"}, []string{"-1", "seven", "1.5", "18446744073709551616"}},
		"MGPU_STATS":         {[]string{"1", "0", "off", "any file", "./on", "on.txt"}, []string{"on", "yes", "TRUE", "no"}},
		"MGPU_TRACE":         {[]string{"t.json", "off"}, []string{"1", "on"}},
		"MGPU_REPORT":        {[]string{"/tmp/report"}, []string{"1"}},
		"MGPU_ON_ERROR":      {[]string{"abort", "exit:3"}, []string{"exit:0", "1"}},
	} {
		for _, value := range values.right {
			assert.True(t, Find(name).Accepts(value), "%s=%s", name, value)
		}
		for _, value := range values.wrong {
			assert.False(t, Find(name).Accepts(value), "%s=%s", name, value)
		}
	}
}

// anyText are settings whose values the settings package does not check: a path of any form, and what the software GPU
// checks.
var anyText = []string{"MGPU_HIP_LIBRARY", "MGPU_CUDA_LIBRARY", "MGPU_SOFT_CHIP", "MGPU_CHECK", "MGPU_PROFILE"}

func TestEveryValueThatIsNoWordHasItsReader(t *testing.T) {
	for _, s := range All {
		placeholder := slices.ContainsFunc(s.Values, func(v string) bool { return strings.HasPrefix(v, "<") })
		assert.Equal(t, placeholder, forms[s.Name] != nil || slices.Contains(anyText, s.Name),
			"%s: a value in <> needs an entry in forms (values.go), or any value is accepted", s.Name)
	}
}

func TestWrongValuesGetALineThatSaysWhatIsRight(t *testing.T) {
	const ignored = " is invalid, and the default is used: expected "
	for variable, want := range map[string][]string{
		"MGPU_CACHE=no":         {"MGPU_CACHE=no" + ignored + "on or off"},
		"MGPU_MEM_CACHE=strc":   {"MGPU_MEM_CACHE=strc" + ignored + "strict or off; did you mean strict?"},
		"MGPU_MEM_CACHE=stream": {"MGPU_MEM_CACHE=stream" + ignored + "strict or off; stream was removed"},
		"MGPU_MEM_LIMIT=lots":   {"MGPU_MEM_LIMIT=lots" + ignored + "a number of bytes (4GiB) or a share of what is free at first use (50%)"},
		"MGPU_TRACE_LIMIT=x":    {"MGPU_TRACE_LIMIT=x" + ignored + "a number of bytes (1GiB) or last: and a number, to keep the newest (last:64MiB)"},
		"MGPU_STATS=on":         {"MGPU_STATS=on" + ignored + "1 or a file (FILE.json: as JSON; %p: the process, %r: the rank); ./on names a file"},
		"MGPU_ON_ERROR=stop":    {"MGPU_ON_ERROR=stop" + ignored + "abort, exit or exit:N with a status N from 1 to 255"},
		"MGPU_SOFT_DEVICES=0":   nil, // the software GPU says so
	} {
		assert.Equal(t, want, Problems([]string{variable}))
	}
}

func TestWrongValuesNameTheirVariable(t *testing.T) {
	get := func(string) string { return "soon\n" }
	_, err := Read(get, "MGPU_SOFT_TIMEOUT", ParseTime)
	require.EqualError(t, err, "MGPU_SOFT_TIMEOUT=soon?: expected a number of seconds (90) or a time (1m30s)")
}

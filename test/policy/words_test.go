package policy

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// avoided are words that readers stumble over, with what to write instead. A first group is the word; where there are two, the
// first is what stands before, and may be "there".
var avoided = []struct {
	words   *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\b(behind)\b`), `"after" for a time, "past" for an address`},
	{regexp.MustCompile(`(?i)\b(\w+) (?:is|are) no \w+`), `"is not a", "is unknown"`},
	{regexp.MustCompile(`(?i)\b(nobody|somebody|whoever)\b`), "who or what it is"},
	{regexp.MustCompile(`(?i)\b(anew)\b`), `"again", "updates"`},
	{regexp.MustCompile(`(?i)\b(warm|warms|warmed)\b`), `"cached", "loaded before"`},
	{regexp.MustCompile(`(?i)\b(person's|silicon)\b`), `"the program's", "a chip"`},
}

// expected are what avoided finds in other meanings.
var expected = regexp.MustCompile(`(?i)\bthere (is|are) no |\b(is|are) no (longer|more|less|later|larger)\b`)

// otherMeanings are files in which a word has another meaning.
var otherMeanings = map[string]string{
	"test/library/abi/setuid_test.go":     "nobody is a user",
	"test/library/guest/hosts/identity.c": "nobody is a user",
	"test/policy/words_test.go":           "lists the words",
}

func TestWordsAreThoseThatAreReadOnce(t *testing.T) {
	t.Chdir(root)
	out, err := exec.Command("git", "ls-files", "-z").Output()
	require.NoError(t, err)
	texts := regexp.MustCompile(`\.(go|c|h|cpp|s|S|cl|hip|md|py|mlir|mk|txt|def|pml)$|^scripts/|^bench/[a-z]+$|Makefile$`)
	found := 0
	for _, path := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if !texts.MatchString(path) || otherMeanings[path] != "" || strings.Contains(path, "mlir/lowered/") || strings.Contains(path, "rows/testdata/") {
			continue
		}
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		require.NoError(t, err)
		found++
		for i, line := range strings.Split(string(text), "\n") {
			for _, a := range avoided {
				for _, m := range a.words.FindAllString(line, -1) {
					assert.True(t, expected.MatchString(m), "%s:%d: %q: write %s", path, i+1, m, a.instead)
				}
			}
		}
	}
	require.Greater(t, found, 1000)
}

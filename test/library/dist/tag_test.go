package dist

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// repository is a repository with the files that scripts/tag reads.
type repository struct {
	*testing.T
	dir string
}

func (r repository) write(path, text string) {
	r.Helper()
	path = filepath.Join(r.dir, path)
	require.NoError(r, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(r, os.WriteFile(path, []byte(text), 0o700))
}

func (r repository) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r repository) commit() {
	r.Helper()
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", "x"}} {
		out, err := r.run("git", args...)
		require.NoError(r, err, out)
	}
}

func TestTagsAreOfCleanTreesWithAnEntry(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(chost.Root(), "scripts/tag"))
	require.NoError(t, err)
	r := repository{t, t.TempDir()}
	r.write("scripts/tag", string(script))
	r.write("include/mgpu_runtime.h", "#define MGPU_VERSION \"1.2.3\"\n")
	_, err = r.run("git", "init", "-q")
	require.NoError(t, err)

	for changelog, says := range map[string]string{
		"# Changelog\n\n## [1.2.2] - 2026-01-02\n\n- Old\n":             "begins with '## [1.2.2] - 2026-01-02'",
		"# Changelog\n\n## [1.2.3] - unreleased\n\n- New\n":             "'unreleased' of 1.2.3 has to be the date",
		"## [1.2.3] - 2026-01-02\n\n## [1.2.2] - 2025-01-02\n\n- Old\n": "says nothing of 1.2.3",
		"": "begins with ''",
	} {
		r.write("CHANGELOG.md", changelog)
		r.commit()
		out, err := r.run("scripts/tag")
		require.Error(t, err, changelog)
		assert.Contains(t, out, says)
	}

	r.write("CHANGELOG.md", "# Changelog\n\n## [1.2.3] - 2026-01-02\n\n### Added\n\n- New\n\n## [1.2.2] - 2025-01-02\n\n- Old\n")
	out, err := r.run("scripts/tag")
	require.Error(t, err)
	assert.Contains(t, out, "the tree is not clean")
	r.commit()
	out, err = r.run("scripts/tag")
	require.NoError(t, err, out)
	out, err = r.run("git", "tag", "-l", "--format=%(contents)", "v1.2.3")
	require.NoError(t, err)
	assert.Equal(t, "mgpu 1.2.3\n\n### Added\n\n- New\n\n", out)
	out, err = r.run("scripts/tag")
	require.Error(t, err)
	assert.Contains(t, out, "v1.2.3 is there already")
}

func TestTheChangelogBeginsWithTheVersion(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(chost.Root(), "CHANGELOG.md"))
	require.NoError(t, err)
	assert.Regexp(t, `^(?s)# Changelog\n[^#]*## \[`+include.Version()+`\] - (unreleased|\d{4}-\d\d-\d\d)\n`, string(text))
}

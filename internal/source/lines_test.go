package source

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFoldersThatMLIRWritesTwiceAreReadOnce(t *testing.T) {
	for _, c := range []struct{ folder, name, want string }{
		{"test/mlir", "test/mlir/test/mlir/blur.mlir", "test/mlir/blur.mlir"},
		{"./a", "a/a/b.mlir", "a/b.mlir"},
		{"a", "a/b.mlir", "a/b.mlir"},
		{"a", "a/ab/b.mlir", "a/ab/b.mlir"},
		{"", "b.mlir", "b.mlir"},
		{"/home/a", "/home/a/b.cl", "/home/a/b.cl"},
	} {
		assert.Equal(t, c.want, onceIn(c.folder, c.name))
	}
}

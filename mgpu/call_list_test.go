package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryListedCallHasAName(t *testing.T) {
	for i := range Functions() {
		require.Regexp(t, `^mgpux?[A-Z]`, CallName(i))
	}
}

package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/calls"
)

func TestEveryListedCallHasAName(t *testing.T) {
	for i := range Functions() {
		require.Regexp(t, `^mgpux?[A-Z]`, CallName(i))
	}
}

func TestTheLedgerKnowsEveryKindThatCallsCreate(t *testing.T) {
	for i := range calls.List {
		if k := calls.List[i].Creates; k != "" {
			require.GreaterOrEqual(t, resourceOf(k), 0, "%s creates a %s", calls.List[i].Name, k)
		}
	}
}

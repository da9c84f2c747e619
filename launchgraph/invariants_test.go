package launchgraph

import (
	"os"
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

func TestMain(m *testing.M) { os.Exit(invariants.Run(m)) }

package fakehip

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestModulesThatTheProgramUnloadsByHIPAreLoadedAgain(t *testing.T) {
	path := chost.Build(t, "unloaded", []string{filepath.Join("hosts", "unloaded.c")}, append(chost.Linked(chost.Library(t)), "-std=gnu11", "-ldl")...)
	for name, env := range map[string]string{"on": "", "off": "MGPU_CACHE=off", "two devices": "FAKEHIP_DEVICES=2"} {
		t.Run(name, func(t *testing.T) {
			r := chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"},
				path, filepath.Join(folder(t), "suite.bundle"))
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Empty(t, r.Stderr)
			require.Equal(t, strings.Repeat("64\n", 8), r.Stdout)
		})
	}
}

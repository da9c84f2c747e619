package powers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

var drivers = map[string]any{"hip": (*hip.Driver)(nil), "cuda": (*cuda.Driver)(nil), "soft": (*softgpu.Driver)(nil), "null": (*null.Driver)(nil)}

func TestTheTableOfPowersSaysWhichDriversHaveThem(t *testing.T) {
	for _, p := range driver.Powers {
		var found []string
		for name, d := range drivers {
			if p.In(d) {
				found = append(found, name)
			}
		}
		assert.ElementsMatch(t, found, strings.Fields(p.Drivers), p.Name)
		assert.NotEmpty(t, p.Without, p.Name)
	}
}

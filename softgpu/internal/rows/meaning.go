package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Executable reports whether the instruction has a meaning in its form. Loads that also return whether their pages were
// present, for example, have none.
func Executable(i *encoding.Inst) bool {
	if i.Row == nil || i.Row.Do == nil || i.Suffix == encoding.DPP && !encoding.DPPKnown(int(i.DPPCtrl)) {
		return false
	}
	for n := range i.Src {
		if o := &i.Src[n]; o.Kind == encoding.Special && !bind.Readable(o.Reg) {
			return false
		}
	}
	if c, prepare, ok := bind.Addressed(i); !ok || c.ScaleOffset {
		return false
	} else if prepare != nil {
		return Executable(&c)
	}
	return i.Row.Do(i) != nil && (i.Second == nil || Executable(i.Second))
}

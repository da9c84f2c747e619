package rows

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Executable tells whether the instruction has a meaning, and one for the form
// that it has: loads that tell whether their pages were there, for instance, have none.
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

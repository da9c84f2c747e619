package rows

import (
	"reflect"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// BindPart is [Bind] for the usual MODE. It also returns how the instruction runs as a part;
// nil: it runs as a step only.
func BindPart(i *encoding.Inst) (encoding.Step, *encoding.Part) {
	c := *i
	c.AsPart = new(encoding.Part)
	step := Bind(&c, false)
	if step == nil || !alu.HasRuns {
		return step, nil
	}
	p := c.AsPart
	switch {
	case reflect.ValueOf(i.Row.Do).Pointer() == reflect.ValueOf(bind.Nothing).Pointer():
		return step, &encoding.Part{Step: step}
	case p.Second != nil || runsAs(p, step):
		return step, p
	}
	for _, part := range []func(*encoding.Inst) *encoding.Part{bind.ScalarPart, bind.SavingPart, bind.BranchPart} {
		if p := part(i); p != nil {
			p.Step = step
			return step, p
		}
	}
	return step, nil
}

// runsAs reports whether a part was noted for this step, and not for one inside of it.
func runsAs(p *encoding.Part, step encoding.Step) bool {
	return p.Step != nil && bind.SameStep(p.Step, step)
}

package hip

import "github.com/mgpu-runtime/mgpu/internal/codeobj"

// formats has the newest version of code objects that releases of HIP were seen to load, by the first version of HIP
// that loads newer ones.
var formats = []struct{ before, most int }{{50300000, 4}, {60000000, 5}}

// NewestFormat returns the newest version of code objects that a release of HIP loads; 0 if it is not known to refuse
// any.
func NewestFormat(major, minor int) int {
	for _, f := range formats {
		if version := major*1e7 + minor*1e5; version > 0 && version < f.before {
			return f.most
		}
	}
	return 0
}

// launchesAll is the first version of HIP that does not crash when it launches a kernel with hidden_completion_action.
const launchesAll = 50300000

// WhyCrashes is the reason why HIP crashes on the kernels that Crashes returns.
const WhyCrashes = "they have hidden_completion_action, which LLVM 19 and later give to kernels that print, assert or " +
	"allocate, and to all with -O0; HIP 5.7 launches them"

// Crashes returns the names of an object's kernels whose launch ends the process with a segmentation fault in a release
// of HIP.
func Crashes(major, minor int, o *codeobj.Object) (kernels []string) {
	if version := major*1e7 + minor*1e5; version == 0 || version >= launchesAll || o.Version > NewestFormat(major, minor) {
		return nil
	}
	for i := range o.Kernels {
		for j := range o.Kernels[i].Args {
			if o.Kernels[i].Args[j].Kind == codeobj.HiddenCompletionAction {
				kernels = append(kernels, o.Kernels[i].Name)
				break
			}
		}
	}
	return kernels
}

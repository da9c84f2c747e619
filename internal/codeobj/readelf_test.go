package codeobj

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMetadataIsWhatReadelfPrints compares every scalar of every kernel and
// argument that llvm-readelf prints.
func TestMetadataIsWhatReadelfPrints(t *testing.T) {
	for _, name := range []string{"v4", "v5", "v6", "gfx90a", "init"} {
		o := parse(t, name)
		printed := strings.Split(tool(t, "llvm-readelf-22", "--notes", "testdata/"+name+".hsaco"), "\n")
		kernels, args, seen := 0, 0, 0
		for _, line := range printed {
			m := regexp.MustCompile(`^( *)(- )?(\.[a-z_]+): +(.+)$`).FindStringSubmatch(line)
			kernelStarts := strings.HasPrefix(line, "  - .")
			argStarts := strings.HasPrefix(line, "      - .")
			if kernelStarts {
				kernels, args = kernels+1, 0
			}
			if argStarts {
				args++
			}
			if m == nil || kernels == 0 {
				continue
			}
			value := strings.Trim(m[4], "'")
			k := &o.Kernels[kernels-1]
			if len(m[1])+len(m[2]) >= 8 {
				a := &k.Args[args-1]
				if got, ok := argScalar(a, m[3]); ok {
					assert.Equal(t, value, got, "%s: kernel %d argument %d: %s", name, kernels, args, m[3])
					seen++
				}
			} else if got, ok := kernelScalar(k, m[3]); ok {
				assert.Equal(t, value, got, "%s: kernel %d: %s", name, kernels, m[3])
				seen++
			}
		}
		assert.Len(t, o.Kernels, kernels, name)
		assert.Greater(t, seen, 40, name)
	}
}

func argScalar(a *Arg, key string) (string, bool) {
	s, ok := map[string]string{
		".name":       a.Name,
		".offset":     strconv.Itoa(int(a.Offset)),
		".size":       strconv.Itoa(int(a.Size)),
		".value_kind": a.Kind.String(),
	}[key]
	return s, ok
}

func kernelScalar(k *Kernel, key string) (string, bool) {
	if s, ok := map[string]string{
		".name":               k.Name,
		".symbol":             k.Symbol,
		".kind":               k.Kind,
		".uses_dynamic_stack": strconv.FormatBool(k.UsesDynamicStack),
	}[key]; ok {
		return s, true
	}
	n, ok := map[string]uint32{
		".group_segment_fixed_size":   k.GroupSize,
		".kernarg_segment_align":      k.KernargAlign,
		".kernarg_segment_size":       k.KernargSize,
		".max_flat_workgroup_size":    k.MaxFlatWorkgroupSize,
		".private_segment_fixed_size": k.PrivateSize,
		".sgpr_count":                 k.SGPRCount,
		".vgpr_count":                 k.VGPRCount,
		".wavefront_size":             k.WavefrontSize,
	}[key]
	return strconv.Itoa(int(n)), ok
}

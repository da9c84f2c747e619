package codeobj

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func number01(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDescriptorIsWhatObjdumpPrints compares every directive that llvm-objdump
// makes of a descriptor.
func TestDescriptorIsWhatObjdumpPrints(t *testing.T) {
	descriptor := regexp.MustCompile(`(?m)^\.amdhsa_kernel (\S+)$`)
	directive := regexp.MustCompile(`(?m)^\t\.amdhsa_(\w+) (\S+)$`)
	for _, name := range []string{"v4", "v5", "v6", "gfx90a", "gfx942", "gfx1100", "init"} {
		o := parse(t, name)
		seen := map[string]bool{}
		var symbols []string
		for _, k := range o.Kernels {
			symbols = append(symbols, k.Symbol)
		}
		out := tool(t, "llvm-objdump-22", "-D", "-j", ".rodata", "--disassemble-symbols="+strings.Join(symbols, ","), "testdata/"+name+".hsaco")
		texts := map[string]string{} // of each kernel's descriptor
		at := descriptor.FindAllStringSubmatchIndex(out, -1)
		for i, m := range at {
			end := len(out)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			texts[out[m[2]:m[3]]] = out[m[1]:end]
		}
		for _, k := range o.Kernels {
			d := k.Descriptor
			printed := directive.FindAllStringSubmatch(texts[strings.TrimSuffix(k.Symbol, ".kd")], -1)
			require.NotEmpty(t, printed, k.Symbol)
			for _, m := range printed {
				got, ok := map[string]int{
					"group_segment_fixed_size":   int(d.GroupSize),
					"private_segment_fixed_size": int(d.PrivateSize),
					"kernarg_size":               int(d.KernargSize),
					"next_free_vgpr":             int(d.VGPRs),
					"accum_offset":               int(d.AccumOffset),
					"float_round_mode_32":        int(d.FloatMode & 3),
					"float_round_mode_16_64":     int(d.FloatMode >> 2 & 3),
					"float_denorm_mode_32":       int(d.FloatMode >> 4 & 3),
					"float_denorm_mode_16_64":    int(d.FloatMode >> 6),
					"dx10_clamp":                 number01(d.DX10Clamp),
					"ieee_mode":                  number01(d.IEEE),
					"fp16_overflow":              number01(d.FP16Overflow),
					"workgroup_processor_mode":   number01(d.WGPMode),
					"tg_split":                   number01(d.SplitsGroup),
					"system_sgpr_private_segment_wavefront_offset": number01(d.PrivateSegment),
					"enable_private_segment":                       number01(d.PrivateSegment),
					"system_sgpr_workgroup_id_x":                   number01(d.WorkgroupIDX),
					"system_sgpr_workgroup_id_y":                   number01(d.WorkgroupIDY),
					"system_sgpr_workgroup_id_z":                   number01(d.WorkgroupIDZ),
					"system_sgpr_workgroup_info":                   number01(d.WorkgroupInfo),
					"system_vgpr_workitem_id":                      int(d.WorkItemIDs),
					"user_sgpr_private_segment_buffer":             int(d.UserSGPRs >> 0 & 1),
					"user_sgpr_dispatch_ptr":                       int(d.UserSGPRs >> 1 & 1),
					"user_sgpr_queue_ptr":                          int(d.UserSGPRs >> 2 & 1),
					"user_sgpr_kernarg_segment_ptr":                int(d.UserSGPRs >> 3 & 1),
					"user_sgpr_dispatch_id":                        int(d.UserSGPRs >> 4 & 1),
					"user_sgpr_flat_scratch_init":                  int(d.UserSGPRs >> 5 & 1),
					"user_sgpr_private_segment_size":               int(d.UserSGPRs >> 6 & 1),
					"wavefront_size32":                             number01(d.Wavefront32),
					"uses_dynamic_stack":                           number01(d.UsesDynamicStack),
				}[m[1]]
				if ok {
					assert.Equal(t, m[2], strconv.Itoa(got), "%s: kernel %s: %s", name, k.Name, m[1])
					seen[m[1]] = true
				}
			}
		}
		assert.Greater(t, len(seen), 20, name)
	}
}

func TestDescriptorCountsUserSGPRs(t *testing.T) {
	for _, name := range hsacos {
		o := parse(t, name)
		for _, k := range o.Kernels {
			d := k.Descriptor
			n := uint32(0)
			for i, sgprs := range []uint32{4, 2, 2, 2, 2, 2, 1} {
				n += uint32(d.UserSGPRs) >> i & 1 * sgprs
			}
			assert.LessOrEqual(t, n, d.UserSGPRCount, "%s: %s", name, k.Name)
		}
	}
	assert.Equal(t, uint32(6), parse(t, "v5").Kernel("saxpy").Descriptor.UserSGPRCount)
}

func TestDescriptorRegisterGranules(t *testing.T) {
	b := make([]byte, DescriptorSize)
	le.PutUint32(b[48:], 2|3<<6) // granulated counts 2 and 3
	for chip, want := range map[string][2]uint32{
		"gfx803": {12, 32}, "gfx900": {12, 32}, "gfx906": {12, 32}, "gfx9-generic": {12, 32},
		"gfx90a": {24, 32}, "gfx942": {24, 32}, "gfx9-4-generic": {24, 32}, "gfx1030": {12, 0},
	} {
		d := DecodeDescriptor(b, chip)
		assert.Equal(t, want, [2]uint32{d.VGPRs, d.SGPRs}, chip)
	}
	le.PutUint16(b[56:], 1<<10)
	assert.Equal(t, uint32(24), DecodeDescriptor(b, "gfx1100").VGPRs)
	assert.Equal(t, uint32(48), DecodeDescriptor(b, "gfx1250").VGPRs)
}

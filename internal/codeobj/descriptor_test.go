package codeobj

import (
	"regexp"
	"strconv"
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
	directive := regexp.MustCompile(`(?m)^\t\.amdhsa_(\w+) (\S+)$`)
	for _, name := range []string{"v4", "v5", "v6", "gfx90a", "gfx942", "gfx1100", "init"} {
		o := parse(t, name)
		seen := map[string]bool{}
		for _, k := range o.Kernels {
			out := tool(t, "llvm-objdump-22", "-D", "-j", ".rodata", "--disassemble-symbols="+k.Symbol, "testdata/"+name+".hsaco")
			d := k.Descriptor
			printed := directive.FindAllStringSubmatch(out, -1)
			require.NotEmpty(t, printed)
			for _, m := range printed {
				got, ok := map[string]int{
					"group_segment_fixed_size":   int(d.GroupSize),
					"private_segment_fixed_size": int(d.PrivateSize),
					"kernarg_size":               int(d.KernargSize),
					"next_free_vgpr":             int(d.VGPRs),
					"accum_offset":               int(d.AccumOffset),
					"float_round_mode_32":        int(d.RoundMode32),
					"float_round_mode_16_64":     int(d.RoundMode16_64),
					"float_denorm_mode_32":       int(d.DenormMode32),
					"float_denorm_mode_16_64":    int(d.DenormMode16_64),
					"dx10_clamp":                 number01(d.DX10Clamp),
					"ieee_mode":                  number01(d.IEEE),
					"fp16_overflow":              number01(d.FP16Overflow),
					"tg_split":                   number01(d.TgSplit),
					"workgroup_processor_mode":   number01(d.WGPMode),
					"memory_ordered":             number01(d.MemOrdered),
					"forward_progress":           number01(d.ForwardProgress),
					"system_sgpr_private_segment_wavefront_offset": number01(d.PrivateSegment),
					"enable_private_segment":                       number01(d.PrivateSegment),
					"system_sgpr_workgroup_id_x":                   number01(d.WorkgroupIDX),
					"system_sgpr_workgroup_id_y":                   number01(d.WorkgroupIDY),
					"system_sgpr_workgroup_id_z":                   number01(d.WorkgroupIDZ),
					"system_sgpr_workgroup_info":                   number01(d.WorkgroupInfo),
					"system_vgpr_workitem_id":                      int(d.WorkItemIDs),
					"user_sgpr_private_segment_buffer":             number01(d.PrivateSegmentBuffer),
					"user_sgpr_dispatch_ptr":                       number01(d.DispatchPtr),
					"user_sgpr_queue_ptr":                          number01(d.QueuePtr),
					"user_sgpr_kernarg_segment_ptr":                number01(d.KernargSegmentPtr),
					"user_sgpr_dispatch_id":                        number01(d.DispatchID),
					"user_sgpr_flat_scratch_init":                  number01(d.FlatScratchInit),
					"user_sgpr_private_segment_size":               number01(d.PrivateSegmentSize),
					"user_sgpr_kernarg_preload_length":             int(d.PreloadLength),
					"user_sgpr_kernarg_preload_offset":             int(d.PreloadOffset),
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
			for _, u := range []struct {
				on    bool
				sgprs uint32
			}{
				{d.PrivateSegmentBuffer, 4}, {d.DispatchPtr, 2}, {d.QueuePtr, 2}, {d.KernargSegmentPtr, 2},
				{d.DispatchID, 2}, {d.FlatScratchInit, 2}, {d.PrivateSegmentSize, 1},
			} {
				if u.on {
					n += u.sgprs
				}
			}
			assert.LessOrEqual(t, n+d.PreloadLength, d.UserSGPRCount, "%s: %s", name, k.Name)
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
		d := decodeDescriptor(b, chip)
		assert.Equal(t, want, [2]uint32{d.VGPRs, d.SGPRs}, chip)
	}
	le.PutUint16(b[56:], 1<<10)
	assert.Equal(t, uint32(24), decodeDescriptor(b, "gfx1100").VGPRs)
	assert.Equal(t, uint32(48), decodeDescriptor(b, "gfx1250").VGPRs)
}

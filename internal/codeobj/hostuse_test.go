package codeobj

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// callers are kernels that reach the function that asks the host in different ways.
var callers = []struct {
	name, code, hidden string
	dynamic            bool
	want               HostUse
}{
	{name: "direct", code: refer("__ockl_hostcall_internal@rel32"), hidden: "hidden_hostcall_buffer", want: HostUseYes},
	{name: "through", code: refer("middle@rel32"), hidden: "hidden_hostcall_buffer", want: HostUseYes},
	{name: "by_offset_table", code: refer("visible@gotpcrel32"), hidden: "hidden_hostcall_buffer", want: HostUseYes},
	{name: "by_table", code: "", dynamic: true, hidden: "hidden_hostcall_buffer", want: HostUseYes},
	{name: "not_by_table", code: "", hidden: "hidden_hostcall_buffer", want: HostUseMaybe},
	{name: "elsewhere", code: refer("harmless@rel32"), hidden: "hidden_hostcall_buffer", want: HostUseMaybe},
	{name: "inlined", code: "s_sendmsg sendmsg(MSG_INTERRUPT)", hidden: "hidden_hostcall_buffer", want: HostUseYes},
	{name: "printf_buffer", code: refer("__printf_alloc@rel32"), hidden: "hidden_printf_buffer", want: HostUseYes},
	{name: "printf_inlined", hidden: "hidden_printf_buffer", want: HostUseMaybe},
	{name: "without", code: refer("__ockl_hostcall_internal@rel32"), hidden: "hidden_none", want: HostUseNone},
}

func refer(to string) string {
	return fmt.Sprintf("s_getpc_b64 s[4:5]\ns_add_u32 s4, s4, %s@lo+4\ns_addc_u32 s5, s5, %s@hi+12\ns_swappc_b64 s[30:31], s[4:5]", to, to)
}

func callersImage(t *testing.T, flags ...string) []byte {
	var text, rodata, metadata strings.Builder
	function := func(name, binding, code string) {
		fmt.Fprintf(&text, ".%s %s\n.p2align 8\n.type %s,@function\n%s:\n%s\ns_endpgm\n.Lend_%s:\n.size %s, .Lend_%s-%s\n",
			binding, name, name, name, code, name, name, name, name)
	}
	function("__ockl_hostcall_internal", "local", "s_nop 0")
	function("__printf_alloc", "local", "s_nop 0")
	function("harmless", "local", "s_nop 0")
	function("middle", "local", refer("direct_2@rel32"))
	function("direct_2", "local", refer("__ockl_hostcall_internal@rel32"))
	function("visible", "globl", refer("middle@rel32"))
	for _, c := range callers {
		function(c.name, "globl", c.code)
		fmt.Fprintf(&rodata, ".amdhsa_kernel %s\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 40\n.end_amdhsa_kernel\n", c.name)
		fmt.Fprintf(&metadata, `  - .name: %s
    .symbol: %s.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
    .uses_dynamic_stack: %v
    .args:
      - {.offset: 0, .size: 8, .value_kind: %s}
`, c.name, c.name, c.dynamic, c.hidden)
	}
	source := ".amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"\n.text\n" + text.String() +
		".section .data.rel.ro,\"aw\"\n.p2align 3\n.quad middle\n.rodata\n.p2align 6\n" + rodata.String() +
		".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--gfx906\namdhsa.kernels:\n" + metadata.String() + "...\n.end_amdgpu_metadata\n"
	dir := t.TempDir()
	in, out := filepath.Join(dir, "callers.s"), filepath.Join(dir, "callers.hsaco")
	require.NoError(t, os.WriteFile(in, []byte(source), 0o644))
	tool(t, "clang-22", append([]string{"--target=amdgcn-amd-amdhsa", "-mcpu=gfx906", "-nogpulib", "-x", "assembler", "-w", in, "-o", out}, flags...)...)
	image, err := os.ReadFile(out)
	require.NoError(t, err)
	return image
}

func TestKernelsThatAskTheHostAreToldFromThoseThatOnlyMay(t *testing.T) {
	image := callersImage(t)
	uses := HostUses(KindHSACO, image)
	for _, c := range callers {
		assert.Equal(t, c.want, uses[c.name], c.name)
	}
}

// Printing errs on the safe side: without local symbols nothing shows what is called.
func TestPrintingHasKernelsThatAskTheHostAndThoseWithABufferForOutput(t *testing.T) {
	printing, stripped := Printing(KindHSACO, callersImage(t)), Printing(KindHSACO, callersImage(t, "-Wl,--strip-all"))
	for _, c := range callers {
		assert.Equal(t, c.want == HostUseYes || c.hidden == "hidden_printf_buffer", printing[c.name], c.name)
		assert.Equal(t, c.want != HostUseNone, stripped[c.name], c.name)
	}
	assert.Equal(t, map[string]bool{"asks": true}, Printing(KindHSACO, load(t, "hostcall.hsaco")))
	assert.Empty(t, Printing(KindHSACO, load(t, "llvm19.hsaco")), "what MLIR 19 makes")
	assert.Nil(t, Printing(KindPTX, []byte("junk")))
}

// Without local symbols nothing shows what is called.
func TestStrippedKernelsMayAskTheHost(t *testing.T) {
	for name, use := range HostUses(KindHSACO, callersImage(t, "-Wl,--strip-all")) {
		want, ok := map[string]HostUse{"without": HostUseNone, "inlined": HostUseYes}[name]
		if !ok {
			want = HostUseMaybe
		}
		assert.Equal(t, want, use, name)
	}
}

func TestKernelsWithoutABufferAskNothing(t *testing.T) {
	for _, name := range hsacos {
		for kernel, use := range HostUses(KindHSACO, load(t, name+".hsaco")) {
			assert.Equal(t, name == "hostcall" && kernel == "asks", use == HostUseYes, "%s of %s", kernel, name)
		}
	}
	assert.Nil(t, HostUses(KindHSACO, []byte("junk")))
	assert.Nil(t, HostUses(KindPTX, []byte("junk")))
	assert.Nil(t, HostUses(KindBundle, []byte("junk")))
	assert.Equal(t, "maybe", HostUseMaybe.String())
}

func TestNoKernelOfASilentImagePrints(t *testing.T) {
	silent := 0
	const a, b = "hipv4-amdgcn-amd-amdhsa--gfx906", "hipv4-amdgcn-amd-amdhsa--gfx90a"
	for _, name := range hsacos {
		image := load(t, name+".hsaco")
		prints := Printing(KindHSACO, image)
		if TraitsOf(KindHSACO, image).Silent {
			silent++
			assert.NotNil(t, prints, name)
			assert.Empty(t, prints, name)
		}
		both := bundle(map[string][]byte{a: image, b: load(t, "hostcall.hsaco")}, a, b)
		assert.False(t, TraitsOf(KindBundle, both).Silent, name)
	}
	assert.Greater(t, silent, len(hsacos)/2)
	assert.False(t, TraitsOf(KindHSACO, load(t, "hostcall.hsaco")).Silent)
	assert.False(t, TraitsOf(KindHSACO, []byte("junk")).Silent)
	assert.False(t, TraitsOf(KindPTX, []byte("junk")).Silent, "not looked at")
}

func TestUnoptimizedKernelsAreToldApart(t *testing.T) {
	want := map[string]HostUse{"asks": HostUseYes, "may": HostUseMaybe}
	image := load(t, "hostcall.hsaco")
	assert.Equal(t, want, HostUses(KindHSACO, image))
	id, other := "hipv4-amdgcn-amd-amdhsa--gfx906", "host-x86_64-unknown-linux-gnu-"
	assert.Equal(t, want, HostUses(KindBundle, bundle(map[string][]byte{id: image}, other, id)))
	assert.Nil(t, HostUses(KindBundle, bundle(map[string][]byte{id: image[:100]}, other, id)))
}

package hsakmt

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const header = "/usr/include/hsakmttypes.h"

// TestLayoutsAreThoseOfAMDsHeader compares with the header that is installed, that of
// ROCm 5.
func TestLayoutsAreThoseOfAMDsHeader(t *testing.T) {
	if _, err := os.Stat(header); err != nil {
		t.Skipf("no %s: libhsakmt-dev has it", header)
	}
	var source strings.Builder
	source.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include \"" + header + "\"\nint main(void) {\n")
	want := map[string]string{}
	later := map[string]bool{"Integrated": true, "NumXcc": true, "KFDGpuID": true, "FamilyID": true, "Reserved": true}
	for name, l := range layouts {
		source.WriteString("printf(\"" + name + " %zu\\n\", sizeof(" + name + "));\n")
		want[name] = strconv.Itoa(l.size(ROCm5))
		for _, f := range l {
			if f.since > ROCm5 || later[f.name] {
				continue
			}
			at, size := l.offset(ROCm5, f.name)
			key := name + "." + f.name
			source.WriteString("printf(\"" + key + " %zu+%zu\\n\", offsetof(" + name + ", " + f.name + "), sizeof(((" + name + " *)0)->" + f.name + "));\n")
			want[key] = strconv.Itoa(at) + "+" + strconv.Itoa(size)
		}
	}
	source.WriteString("}\n")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "layout.c"), []byte(source.String()), 0o600))
	binary := filepath.Join(dir, "layout")
	out, err := exec.Command("cc", "-o", binary, filepath.Join(dir, "layout.c")).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command(binary).Output()
	require.NoError(t, err)
	got := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		got[name] = value
	}
	require.Equal(t, want, got)
}

func TestROCm7sNodesHaveMoreFields(t *testing.T) {
	require.Equal(t, 356, nodeProperties.size(ROCm5))
	require.Equal(t, 368, nodeProperties.size(ROCm7))
	at, _ := nodeProperties.offset(ROCm7, "VendorId")
	require.Equal(t, 84, at)
	require.Equal(t, 52, linkProperties.size(ROCm7))
}

// ROCm 7 reserves addresses, for managed memory too, from 1.15 on.
func TestTheDriversVersionIsOneThatTheReleaseTakes(t *testing.T) {
	for release, minor := range map[Release]uint64{ROCm5: 8, ROCm7: 15} {
		h := newHost(t, Options{Release: release})
		info := h.alloc(hostNode, page)
		require.Equal(t, Success, h.GetVersion(info))
		r := recordAt(info, 0, versionInfo, release)
		require.Equal(t, uint64(1), r.get("KernelInterfaceMajorVersion"))
		require.Equal(t, minor, r.get("KernelInterfaceMinorVersion"))
	}
}

func TestNodesDescribeTheChip(t *testing.T) {
	for target, want := range map[string]struct {
		engine, units uint64
		ecc, xnack    bool
	}{
		"":                       {microcode | 9<<10 | 6<<24, 60, true, false},
		"gfx900":                 {microcode | 9<<10, 64, false, false},
		"gfx906:sramecc-":        {microcode | 9<<10 | 6<<24, 60, false, false},
		"gfx908":                 {microcode | 9<<10 | 8<<24, 120, true, false},
		"gfx90a:xnack+":          {microcode | 9<<10 | 10<<24, 104, true, true},
		"gfx950":                 {microcode | 9<<10 | 5<<16, 256, true, false},
		"gfx942:sramecc+:xnack-": {microcode | 9<<10 | 4<<16 | 2<<24, 320, true, false},
	} {
		h := newHost(t, Options{Chip: target})
		b := h.alloc(hostNode, page)
		require.Equal(t, Success, h.GetNodeProperties(firstGPU, b))
		r := recordAt(b, 0, nodeProperties, ROCm5)
		require.Equal(t, want.engine, r.get("EngineId"), target)
		require.Equal(t, want.units, r.get("NumFComputeCores")/r.get("NumSIMDPerCU"), target)
		require.Equal(t, want.ecc, r.get("Capability")&registerECC != 0, target)
		require.Equal(t, Success, h.GetXNACKMode(b))
		require.Equal(t, boolean(want.xnack), load32(b), target)
	}
}

// ROCr 7 divides by their number on gfx942 and gfx950, and copies to the host by the second.
func TestChipsWhoseCopyEnginesTheRuntimeChoosesBetweenHaveTwo(t *testing.T) {
	for target, engines := range map[string]uint64{"gfx900": 0, "gfx906": 0, "gfx908": 0, "gfx90a": 0, "gfx942": 2, "gfx950": 2} {
		h := newHost(t, Options{Chip: target, Release: ROCm7})
		b := h.alloc(hostNode, page)
		require.Equal(t, Success, h.GetNodeProperties(firstGPU, b))
		require.Equal(t, engines, recordAt(b, 0, nodeProperties, ROCm7).get("NumSdmaEngines"), target)
		const sdma, byEngine = 2, 4 // HSA_QUEUE_SDMA, HSA_QUEUE_SDMA_BY_ENG_ID
		for _, kind := range []uint32{sdma, byEngine} {
			require.Equal(t, NotSupported, h.CreateQueue(firstGPU, kind, 100, 0, b, page, 0, b), target)
		}
	}
}

func TestTargetsThatAreNotKnownAreRefused(t *testing.T) {
	for _, o := range []Options{{Chip: "gfx1100"}, {Chip: "gfx906:xnak+"}, {Chip: "gfx906:xnack"}, {Devices: 64}} {
		_, err := Open(o)
		require.Error(t, err, "%+v", o)
	}
}

func TestNodesListTheirParts(t *testing.T) {
	h := newHost(t, Options{Devices: 3})
	b := h.alloc(hostNode, 2*page)
	require.Equal(t, Success, h.AcquireSystemProperties(b))
	require.Equal(t, uint32(4), load32(b))
	require.Equal(t, Success, h.GetNodeIoLinkProperties(2, 3, b))
	var to []uint64
	for i := range 3 {
		to = append(to, recordAt(b, i, linkProperties, ROCm5).get("NodeTo"))
	}
	require.Equal(t, []uint64{0, 1, 3}, to)
	require.Equal(t, Success, h.GetNodeMemoryProperties(1, 3, b))
	require.Equal(t, h.vram, recordAt(b, 0, memoryProperties, ROCm5).get("SizeInBytes"))
	require.Equal(t, Success, h.GetNodeCacheProperties(hostNode, 0, 2, b))
	require.Equal(t, InvalidNode, h.GetNodeProperties(4, b))
	require.Equal(t, InvalidNode, h.GetNodeMemoryProperties(4, 1, b))
}

package kfd

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// properties are those that a file lists.
func (h *host) properties(path string) map[string]uint64 {
	h.Helper()
	f := h.Find(topologyPlace+"/"+path, true)
	require.Equal(h, File, f.Kind, path)
	all := map[string]uint64{}
	for line := range strings.Lines(f.Text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseUint(value, 10, 64)
		require.NoError(h, err, line)
		all[name] = n
	}
	return all
}

func TestNodesDescribeTheChip(t *testing.T) {
	for target, want := range map[string]struct {
		version, units, lanes, waves uint64
		ecc                          bool
	}{
		"":                       {90006, 60, 64, 40, true},
		"gfx900":                 {90000, 64, 64, 40, false},
		"gfx906:sramecc-":        {90006, 60, 64, 40, false},
		"gfx908":                 {90008, 120, 64, 40, true},
		"gfx90a:xnack+":          {90010, 104, 64, 32, true},
		"gfx942:sramecc+:xnack-": {90402, 304, 64, 32, true},
		"gfx950":                 {90500, 256, 64, 32, true},
		"gfx1030":                {100300, 80, 32, 32, false},
		"gfx1031":                {100301, 40, 32, 32, false},
		"gfx1032":                {100302, 32, 32, 32, false},
		"gfx1033":                {100303, 8, 32, 32, false},
		"gfx1034":                {100304, 16, 32, 32, false},
		"gfx1035":                {100305, 12, 32, 32, false},
		"gfx1036":                {100306, 2, 32, 32, false},
		"gfx1100":                {110000, 96, 32, 32, false},
		"gfx1101":                {110001, 60, 32, 32, false},
		"gfx1102":                {110002, 32, 32, 32, false},
		"gfx1103":                {110003, 12, 32, 32, false},
		"gfx1150":                {110500, 16, 32, 32, false},
		"gfx1151":                {110501, 40, 32, 32, false},
		"gfx1200":                {120000, 32, 32, 32, false},
		"gfx1201":                {120001, 64, 32, 32, false},
	} {
		p := newHost(t, hsa.Options{Chip: target}).properties("nodes/1/properties")
		require.Equal(t, want.version, p["gfx_target_version"], target)
		require.Equal(t, want.units, p["simd_count"]/p["simd_per_cu"], target)
		if places := p["array_count"] * p["cu_per_simd_array"]; strings.HasPrefix(target, "gfx942") {
			require.EqualValues(t, 320, places, "16 of MI300X's compute units are switched off")
		} else {
			require.Equal(t, want.units, places, target)
		}
		require.Equal(t, want.lanes, p["wave_front_size"], target)
		require.Equal(t, want.waves, p["max_waves_per_simd"]*p["simd_per_cu"], target)
		require.Equal(t, want.ecc, p["capability"]&registerECC != 0, target)
	}
}

// ROCr 7 divides by their number on gfx942 and gfx950, and copies to the host by the second.
func TestChipsWhoseCopyEnginesTheRuntimeChoosesBetweenHaveTwo(t *testing.T) {
	for target, engines := range map[string]uint64{"gfx900": 0, "gfx906": 0, "gfx908": 0, "gfx90a": 0, "gfx942": 2, "gfx950": 2, "gfx1100": 0} {
		p := newHost(t, hsa.Options{Chip: target}).properties("nodes/1/properties")
		require.Equal(t, engines, p["num_sdma_engines"], target)
	}
}

func TestNodesListTheirParts(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 3})
	p := h.properties("nodes/2/properties")
	require.EqualValues(t, h.GPU().Memory, h.properties("nodes/2/mem_banks/0/properties")["size_in_bytes"])
	for i := range p["caches_count"] {
		require.EqualValues(t, i+1, h.properties("nodes/2/caches/" + strconv.Itoa(int(i)) + "/properties")["level"])
	}
	require.NotZero(t, h.properties("nodes/0/properties")["cpu_cores_count"])
}

// AMD's tools know no direct link by PCI express, and take the GPUs of a hive for connected by XGMI.
func TestGPUsAreLinkedAsTheChipIs(t *testing.T) {
	for chip, want := range map[string]struct {
		io, p2p [][2]uint64 // node and kind
		hive    bool
	}{
		"gfx906":  {[][2]uint64{{0, linkPCIe}}, [][2]uint64{{1, linkPCIe}, {3, linkPCIe}}, false},
		"gfx90a":  {[][2]uint64{{0, linkPCIe}, {1, linkXGMI}, {3, linkXGMI}}, nil, true},
		"gfx1100": {[][2]uint64{{0, linkPCIe}}, [][2]uint64{{1, linkPCIe}, {3, linkPCIe}}, false},
	} {
		h := newHost(t, hsa.Options{Devices: 3, Chip: chip})
		p := h.properties("nodes/2/properties")
		links := func(kind string) (all [][2]uint64) {
			require.Len(t, names(h.Find(topologyPlace+"/nodes/2/"+kind, true)), int(p[kind+"_count"]), chip)
			for i := range p[kind+"_count"] {
				link := h.properties("nodes/2/" + kind + "/" + strconv.Itoa(int(i)) + "/properties")
				require.EqualValues(t, 2, link["node_from"])
				all = append(all, [2]uint64{link["node_to"], link["type"]})
			}
			return all
		}
		require.Equal(t, want.io, links("io_links"), chip)
		require.Equal(t, want.p2p, links("p2p_links"), chip)
		require.Equal(t, want.hive, p["hive_id"] != 0, chip)
		require.Zero(t, newHost(t, hsa.Options{Chip: chip}).properties("nodes/1/properties")["hive_id"], "alone")
	}
}

package kfd

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// Bits of a node's capability.
const (
	watchPoints   = 1<<7 | 2<<8
	doorbell64    = 2 << 12 // the doorbell takes the index of the last packet
	memoryECC     = 1 << 20
	asicRevision1 = 1 << 22
	registerECC   = 1 << 26
	svmSupported  = 1 << 27
	debugFirmware = 1 << 29 // RUNTIME_ENABLE
)

// Kinds of memory banks, caches and links.
const (
	heapSystem  = 0
	heapPrivate = 2 // the host maps it too; called public, the runtime copies to it by itself

	dataCache = 1 << 0
	ofGPU     = 1 << 3

	linkPCIe = 2
	linkXGMI = 11
)

const (
	microcode     = 440
	vendorAMD     = 0x1002
	memoryClock   = 1000 // MHz
	memoryWidth   = 4096
	firstBus      = 3
	firstID       = 0x80000000 // of compute units
	uniqueIDs     = 0x736f6674_00000000
	hiveID        = 0x736f6674_68697665 // of the GPUs that XGMI connects
	subsystem     = 0x0c34
	topologyPlace = "/sys/devices/virtual/kfd/kfd/topology"
)

// property is a line of a file of properties.
type property struct {
	name  string
	value uint64
}

// lines are the text of a file of properties.
func lines(all ...property) string {
	var b strings.Builder
	for _, p := range all {
		fmt.Fprintf(&b, "%s %d\n", p.name, p.value)
	}
	return b.String()
}

// hostMemory is how many bytes the host's bank has.
func (d *Driver) hostMemory() uint64 { return hsa.SystemMemory() &^ (page - 1) }

// plantTopology adds the files that describe the nodes: 0 is the host, and then come the GPUs.
func (d *Driver) plantTopology(t *tree) {
	put := func(path, text string) { t.file(topologyPlace+"/"+path, text) }
	put("generation_id", "1\n")
	put("system_properties", lines(property{"platform_oem", 0}, property{"platform_id", 0}, property{"platform_rev", 0}))
	put("nodes/0/gpu_id", "0\n")
	put("nodes/0/name", "\n")
	put("nodes/0/properties", lines(
		property{"cpu_cores_count", uint64(runtime.NumCPU())}, property{"simd_count", 0}, property{"mem_banks_count", 1},
		property{"caches_count", 0}, property{"io_links_count", 0}, property{"p2p_links_count", 0},
		property{"cpu_core_id_base", 0}, property{"simd_id_base", 0}))
	put("nodes/0/mem_banks/0/properties", bank(heapSystem, d.hostMemory(), 64, 3200))
	t.folder(topologyPlace + "/nodes/0/caches")
	t.folder(topologyPlace + "/nodes/0/io_links")
	t.folder(topologyPlace + "/nodes/0/p2p_links")
	for _, g := range d.devices {
		d.plantNode(put, g)
		t.folder(fmt.Sprintf("%s/nodes/%d/p2p_links", topologyPlace, g.node))
	}
	t.link("/sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd")
	t.file("/sys/devices/virtual/kfd/kfd/dev", "234:0\n")
	t.file("/sys/devices/virtual/kfd/kfd/uevent", "MAJOR=234\nMINOR=0\nDEVNAME=kfd\n")
}

func bank(heap, size, width, clock uint64) string {
	return lines(property{"heap_type", heap}, property{"size_in_bytes", size}, property{"flags", 0}, property{"width", width}, property{"mem_clk_max", clock})
}

func (d *Driver) plantNode(put func(path, text string), g *device) {
	m := &d.gpu.Model
	in := func(format string, args ...any) string {
		return fmt.Sprintf("nodes/%d/", g.node) + fmt.Sprintf(format, args...)
	}
	capability := uint64(watchPoints | doorbell64 | asicRevision1 | svmSupported | debugFirmware)
	if m.ECC {
		capability |= memoryECC
	}
	if d.gpu.SRAMECC {
		capability |= registerECC
	}
	ioLinks, p2pLinks, hive := uint64(1), uint64(len(d.devices)-1), uint64(0)
	if m.XGMI {
		ioLinks, p2pLinks = uint64(len(d.devices)), 0
	}
	if m.XGMI && len(d.devices) > 1 {
		hive = hiveID
	}
	put(in("gpu_id"), fmt.Sprintf("%d\n", g.id))
	put(in("name"), m.Name+"\n")
	put(in("properties"), lines(
		property{"cpu_cores_count", 0},
		property{"simd_count", d.gpu.Units * d.gpu.SIMDs},
		property{"mem_banks_count", 1},
		property{"caches_count", 2},
		property{"io_links_count", ioLinks},
		property{"p2p_links_count", p2pLinks},
		property{"cpu_core_id_base", 0},
		property{"simd_id_base", firstID + uint64(g.node)<<12},
		property{"max_waves_per_simd", d.gpu.Waves},
		property{"lds_size_in_kb", d.gpu.LDS >> 10},
		property{"gds_size_in_kb", 0},
		property{"num_gws", 64},
		property{"wave_front_size", m.Lanes},
		property{"array_count", m.Engines * m.Arrays},
		property{"simd_arrays_per_engine", m.Arrays},
		property{"cu_per_simd_array", m.Unit},
		property{"simd_per_cu", d.gpu.SIMDs},
		property{"max_slots_scratch_cu", 32},
		property{"gfx_target_version", m.Major*10000 + m.Minor*100 + m.Step},
		property{"vendor_id", vendorAMD},
		property{"device_id", m.Device},
		property{"location_id", g.location()},
		property{"domain", 0},
		property{"drm_render_minor", uint64(g.minor)},
		property{"hive_id", hive},
		property{"num_sdma_engines", m.SDMA},
		property{"num_sdma_xgmi_engines", 0},
		property{"num_sdma_queues_per_engine", 8},
		property{"num_cp_queues", 24},
		property{"max_engine_clk_fcompute", m.Clock},
		property{"max_engine_clk_ccompute", 2000},
		property{"local_mem_size", 0}, // as the driver says it: the bank tells
		property{"fw_version", microcode},
		property{"sdma_fw_version", 8},
		property{"capability", capability},
		property{"debug_prop", 0},
		property{"unique_id", uniqueIDs + uint64(g.node)},
		property{"num_xcc", m.XCC},
		property{"family_id", m.Family},
	))
	put(in("mem_banks/0/properties"), bank(heapPrivate, d.gpu.Memory, memoryWidth, memoryClock))
	for i, size := range []uint64{16, 4096} {
		put(in("caches/%d/properties", i), lines(
			property{"processor_id_low", firstID + uint64(g.node)<<12}, property{"level", uint64(i + 1)}, property{"size", size},
			property{"cache_line_size", 64}, property{"cache_lines_per_tag", 1}, property{"association", 16}, property{"latency", 0},
			property{"type", dataCache | ofGPU}, property{"sibling_map", 1}))
	}
	// PCI express from each GPU to the host. A link from the host to a GPU would mean that the host may access all
	// of its memory.
	link := func(folder string, number int, kind uint64, to uint32, weight uint64) {
		put(in("%s/%d/properties", folder, number), lines(
			property{"type", kind}, property{"version_major", 0}, property{"version_minor", 0},
			property{"node_from", uint64(g.node)}, property{"node_to", uint64(to)}, property{"weight", weight},
			property{"min_latency", 0}, property{"max_latency", 0}, property{"min_bandwidth", 312}, property{"max_bandwidth", 16000},
			property{"recommended_transfer_size", 0}, property{"recommended_sdma_engine_id_mask", 0}, property{"flags", 1}))
	}
	link("io_links", 0, linkPCIe, 0, 20)
	others := 0
	for _, to := range d.devices {
		switch {
		case to == g:
			continue
		case m.XGMI:
			link("io_links", 1+others, linkXGMI, to.node, 15)
		default:
			link("p2p_links", others, linkPCIe, to.node, 40) // over the host's bridge
		}
		others++
	}
}

// location is where a GPU is on its PCI bus.
func (g *device) location() uint64 { return uint64(firstBus+g.node-1) << 8 }

// address is a GPU's name in PCI's files.
func (g *device) address() string { return fmt.Sprintf("0000:%02x:00.0", firstBus+g.node-1) }

// root is the bridge that the GPUs' PCI addresses are below: one that no machine has.
const root = "/sys/devices/pci0000:mgpu"

// plantPCI adds the files that libdrm and tools read.
func (d *Driver) plantPCI(t *tree) {
	for i, g := range d.devices {
		m := &d.gpu.Model
		at := root + "/" + g.address()
		node := fmt.Sprintf("renderD%d", g.minor)
		card := fmt.Sprintf("card%d", g.minor-128)
		put := func(path, text string) { t.file(at+"/"+path, text) }
		put("vendor", fmt.Sprintf("0x%04x\n", vendorAMD))
		put("device", fmt.Sprintf("0x%04x\n", m.Device))
		put("revision", "0x01\n")
		put("subsystem_vendor", fmt.Sprintf("0x%04x\n", vendorAMD))
		put("subsystem_device", fmt.Sprintf("0x%04x\n", subsystem))
		put("class", "0x038000\n")
		put("vbios_version", "113-MGPU-"+strings.ToUpper(d.gpu.Chip)+"\n")
		put("uevent", fmt.Sprintf("DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_ID=%04X:%04X\nPCI_SUBSYS_ID=%04X:%04X\nPCI_SLOT_NAME=%s\n",
			vendorAMD, m.Device, vendorAMD, subsystem, g.address()))
		put("numa_node", "-1\n")
		put("local_cpulist", fmt.Sprintf("0-%d\n", runtime.NumCPU()-1))
		put("current_link_speed", "16.0 GT/s PCIe\n")
		put("current_link_width", "16\n")
		put("max_link_speed", "16.0 GT/s PCIe\n")
		put("max_link_width", "16\n")
		put("unique_id", fmt.Sprintf("%016x\n", uniqueIDs+uint64(g.node)))
		put("mem_info_vram_total", fmt.Sprintf("%d\n", d.gpu.Memory))
		put("mem_info_vis_vram_total", fmt.Sprintf("%d\n", d.gpu.Memory))
		put("mem_info_gtt_total", fmt.Sprintf("%d\n", d.hostMemory()))
		t.dynamic(at+"/mem_info_vram_used", func() string { return fmt.Sprintf("%d\n", d.gpu.Memory-d.Left(g.node)) })
		t.dynamic(at+"/mem_info_vis_vram_used", func() string { return fmt.Sprintf("%d\n", d.gpu.Memory-d.Left(g.node)) })
		put("mem_info_gtt_used", "0\n")
		put("gpu_busy_percent", "0\n")
		put("config", string(config(m.Device)))
		put("drm/"+node+"/dev", fmt.Sprintf("226:%d\n", g.minor))
		put("drm/"+node+"/uevent", fmt.Sprintf("MAJOR=226\nMINOR=%d\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", g.minor, node))
		put("drm/"+card+"/dev", fmt.Sprintf("226:%d\n", g.minor-128))
		put("drm/"+card+"/uevent", fmt.Sprintf("MAJOR=226\nMINOR=%d\nDEVNAME=dri/%s\nDEVTYPE=drm_minor\n", g.minor-128, card))
		t.link(at+"/subsystem", "../../../bus/pci")
		t.link(at+"/driver", "../../../bus/pci/drivers/amdgpu")
		for number, name := range map[uint32]string{g.minor: node, g.minor - 128: card} {
			t.link(at+"/drm/"+name+"/device", "../../../"+g.address())
			t.link(at+"/drm/"+name+"/subsystem", "../../../../../class/drm")
			t.link("/sys/class/drm/"+name, "../../devices/pci0000:mgpu/"+g.address()+"/drm/"+name)
			t.link(fmt.Sprintf("/sys/dev/char/226:%d", number), "../../devices/pci0000:mgpu/"+g.address()+"/drm/"+name)
		}
		t.link("/sys/bus/pci/devices/"+g.address(), "../../../devices/pci0000:mgpu/"+g.address())
		t.device("/dev/dri/"+node, 1+i, 226, g.minor)
		t.link("/dev/dri/by-path/pci-"+g.address()+"-render", "../"+node)
	}
	t.file("/sys/bus/pci/drivers/amdgpu/module/version", "\n")
	t.device("/dev/kfd", 0, 234, 0)
}

// config is the beginning of a GPU's PCI configuration space.
func config(device uint64) []byte {
	b := make([]byte, 64)
	b[0], b[1] = vendorAMD&0xff, vendorAMD>>8
	b[2], b[3] = byte(device), byte(device>>8)
	b[8], b[10], b[11] = 1, 0x80, 0x03 // revision; a display controller
	b[44], b[45], b[46], b[47] = vendorAMD&0xff, vendorAMD>>8, subsystem&0xff, subsystem>>8
	return b
}

// freeMinors finds numbers for render nodes that the machine's own GPUs do not have.
func freeMinors(n int) (all []uint32) {
	const first, last = 128, 191
	for minor := uint32(first); minor <= last && len(all) < n; minor++ {
		if _, err := os.Stat(fmt.Sprintf("/dev/dri/renderD%d", minor)); err != nil {
			all = append(all, minor)
		}
	}
	for minor := uint32(first); len(all) < n; minor++ {
		all = append(all, minor) // more than there are: some hide the machine's
	}
	return all
}

// names is libdrm's list of the names of GPUs.
func (d *Driver) names() string {
	return fmt.Sprintf("1.0.0\n%04X,\t01,\tSoftware GPU (%s)\n", d.gpu.Model.Device, d.gpu.Chip)
}

package hsakmt

import (
	"os"
	"runtime"
	"strings"
	"unicode/utf16"
)

const simds = 4 // of a compute unit

// Bits of HSA_CAPABILITY.
const (
	watchPoints      = 1<<7 | 2<<8
	doorbell64       = 2 << 12 // the doorbell takes the index of the last packet
	memoryECC        = 1 << 20
	asicRevision1    = 1 << 22
	registerECC      = 1 << 26
	svmSupported     = 1 << 27
	microcode        = 440
	firstLocation    = 0x300 // bus 3, device 0, function 0
	firstRenderMinor = 128
)

// GetNodeProperties describes a node.
func (t *Thunk) GetNodeProperties(node uint32, properties uint64) Status {
	if int(node) >= t.nodes() {
		return InvalidNode
	}
	r := newRecord(properties, 0, nodeProperties, t.release())
	r.setAll(values{
		"NumIOLinks":                uint64(len(t.links(node))),
		"NumMemoryBanks":            uint64(len(t.banks(node))),
		"NumCaches":                 uint64(len(t.caches(node))),
		"MaxEngineClockMhzCCompute": 2000,
	})
	if node == hostNode {
		r.set("NumCPUCores", uint64(runtime.NumCPU()))
		copy(r.bytes("AMDName"), "cpu")
		r.setText("MarketingName", processorName())
		return Success
	}
	m := t.chip.model
	capability := uint64(watchPoints | doorbell64 | asicRevision1)
	if m.ECC {
		capability |= memoryECC
	}
	if t.chip.sramecc {
		capability |= registerECC
	}
	if t.pageTables {
		capability |= svmSupported
	}
	r.setAll(values{
		"NumFComputeCores":          m.Units() * simds,
		"FComputeIdLo":              0x80000000 + uint64(node)<<12,
		"Capability":                capability,
		"MaxWavesPerSIMD":           m.Waves,
		"LDSSizeInKB":               uint64(t.gpus[0].machine.LDS()) >> 10,
		"WaveFrontSize":             64,
		"NumShaderBanks":            m.Engines,
		"NumArrays":                 m.Arrays,
		"NumCUPerArray":             m.Unit,
		"NumSIMDPerCU":              simds,
		"MaxSlotsScratchCU":         32,
		"EngineId":                  microcode | m.Major<<10 | m.Minor<<16 | m.Step<<24,
		"VendorId":                  0x1002,
		"DeviceId":                  m.Device,
		"LocationId":                firstLocation + uint64(node-firstGPU)<<8,
		"LocalMemSize":              t.vram,
		"MaxEngineClockMhzFCompute": m.Clock,
		"DrmRenderMinor":            firstRenderMinor + uint64(node-firstGPU),
		"NumSdmaEngines":            m.SDMA,
		"NumCpQueues":               24,
		"NumGws":                    64,
		"UniqueID":                  0x736f6674_00000000 + uint64(node),
		"VGPRSizePerCU":             256 << 10,
		"SGPRSizePerCU":             12800,
		"NumXcc":                    m.XCC,
		"KFDGpuID":                  uint64(gpuID(node)),
		"FamilyID":                  m.Family,
	})
	copy(r.bytes("AMDName"), m.Name)
	r.setText("MarketingName", "Software GPU ("+t.chip.id.String()+")")
	return Success
}

// gpuID is the number that the driver knows a GPU by, 0 for the host.
func gpuID(node uint32) uint32 {
	if node == hostNode {
		return 0
	}
	return 0x5000 + node
}

// setText stores UTF-16, with a zero at the end.
func (x record) setText(field, text string) {
	b := x.bytes(field)
	for i, c := range utf16.Encode([]rune(text)) {
		if 2*i+4 > len(b) {
			break
		}
		b[2*i], b[2*i+1] = byte(c), byte(c>>8)
	}
}

// processorName is what the system calls the host's processor.
func processorName() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "processor"
}

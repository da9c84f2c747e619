package emu

import (
	"fmt"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// rowLanes is the number of lanes in a row of a wave's private memory, also in waves of 32.
const rowLanes = 64

// dynamicStack is the scratch memory that a work-item gets beyond its fixed size if the compiler could not bound the
// stack (recursion, indirect calls). LLVM counts a function that calls itself once, and does not mark it, so every
// kernel that may call something gets it.
const dynamicStack = 16 << 10

// mostPrivate is the scratch memory that the hardware can give to a work-item.
const mostPrivate = 128 << 10

// userSGPR is a bit of the kernel descriptor's properties that asks for a value in the first scalar registers. The
// values have the order of the bits.
type userSGPR uint16

const (
	privateSegmentBuffer userSGPR = 1 << iota
	dispatchPtr
	queuePtr
	kernargPtr
	dispatchID
	flatScratchInit
	privateSegmentSize
)

// words returns the number of registers for which the bits ask.
func (u userSGPR) words() uint32 {
	n := 2 * uint32(bits.OnesCount16(uint16(u)))
	if u&privateSegmentBuffer != 0 {
		n += 2
	}
	if u&privateSegmentSize != 0 {
		n--
	}
	return n
}

// Kernel is an entry point of a program with the data of its descriptor.
type Kernel struct {
	Name string

	LDS     uint32 // fixed bytes of workgroup memory
	Private uint32 // bytes of scratch memory per work-item, including the dynamic stack
	Kernarg uint32 // bytes of the kernarg segment

	program *Program
	entry   uint32 // in words
	lanes   uint32 // of a wave
	sgprs   int
	vgprs   int
	agprs   int  // accumulators
	wgp     bool // a workgroup uses both compute units of a workgroup processor
	split   bool // the waves of a workgroup may be on several compute units
	mode    uint32

	user       userSGPR
	userCount  uint32 // scalar registers before the workgroup IDs
	preload    uint32 // words of arguments in the last of them
	preloadAt  uint32 // the first of these words
	named      int    // barriers of GFX12.5 with a number that a workgroup has
	groupID    [3]bool
	groupInfo  bool
	waveOffset bool // a scalar register has the wave's offset in scratch memory
	itemIDs    int  // number of x, y, z in v0, v1, v2
	packedIDs  bool // all of them are in v0
	idsInTraps bool // the workgroup's ids are in ttmp7 and ttmp9, not after the user registers
	scratch    bool // flat_scratch is set when a wave starts
}

// NewKernel makes a kernel of p from its descriptor; entry is the address of its first instruction, as the device sees
// it. Every instruction of a function that the kernel may reach must have a meaning. The error is about the first one
// without a meaning, with the function, the offset in it and the instruction. Words that are not instructions may be
// anywhere, and outside of all ranges any instruction may be; a wave that reaches one faults there. A late program
// refuses none.
func NewKernel(p *Program, name string, desc *codeobj.Descriptor, entry uint64) (*Kernel, error) {
	off := entry - p.base
	switch {
	case off%4 != 0 || off/4 >= uint64(p.count):
		return nil, fmt.Errorf("kernel %s: entry point %#x lies outside the code", name, entry)
	case desc.Wavefront32 && !p.t.Chip.RDNA():
		return nil, fmt.Errorf("kernel %s: compiled for waves of 32, which GFX9 does not have", name)
	case !desc.Wavefront32 && p.t.Chip.OnlyWave32():
		return nil, fmt.Errorf("kernel %s: compiled for waves of 64, which %s does not have", name, p.t.Chip)
	case desc.Wavefront32 != p.t.Chip.IsWave32():
		return nil, fmt.Errorf("kernel %s: its code is decoded for waves of another size", name)
	case desc.KernargPreload > 0 && userSGPR(desc.UserSGPRs).words()+desc.KernargPreload > mostUserSGPRs:
		return nil, fmt.Errorf("kernel %s: asks for %d words of arguments in scalar registers after %d others, and there are %d",
			name, desc.KernargPreload, userSGPR(desc.UserSGPRs).words(), mostUserSGPRs)
	case 4*(desc.PreloadFrom+desc.KernargPreload) > (desc.KernargSize+3)&^3:
		return nil, fmt.Errorf("kernel %s: asks for words %d to %d of its arguments in scalar registers, and has %d bytes of arguments",
			name, desc.PreloadFrom, desc.PreloadFrom+desc.KernargPreload-1, desc.KernargSize)
	case desc.WorkItemIDs > 2:
		return nil, fmt.Errorf("kernel %s: descriptor asks for a fourth work-item id", name)
	case desc.SGPRs > mostSGPRs:
		return nil, fmt.Errorf("kernel %s: %d SGPRs, more than the %d that a wave can have", name, desc.SGPRs, mostSGPRs)
	}
	chip := limits[p.t.Chip.Model()]
	if desc.GroupSize > chip.lds {
		return nil, fmt.Errorf("kernel %s: %d bytes of workgroup memory, more than the %d that exist", name, desc.GroupSize, chip.lds)
	}
	vgprs, agprs, err := chip.vectorRegisters(desc)
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", name, err)
	}
	k := &Kernel{
		Name:       name,
		LDS:        desc.GroupSize,
		Private:    desc.PrivateSize,
		Kernarg:    desc.KernargSize,
		program:    p,
		entry:      uint32(off / 4),
		lanes:      lanesOf(desc),
		sgprs:      int(desc.SGPRs),
		vgprs:      vgprs,
		agprs:      agprs + chip.addresses,
		wgp:        desc.WGPMode,
		split:      desc.SplitsGroup,
		packedIDs:  chip.packedIDs,
		idsInTraps: chip.idsInTraps,
		scratch:    chip.scratch,
		mode:       modeRegister(desc),
		user:       userSGPR(desc.UserSGPRs),
		userCount:  desc.UserSGPRCount,
		preload:    desc.KernargPreload,
		preloadAt:  desc.PreloadFrom,
		groupID:    [3]bool{desc.WorkgroupIDX, desc.WorkgroupIDY, desc.WorkgroupIDZ},
		groupInfo:  desc.WorkgroupInfo,
		waveOffset: desc.PrivateSegment && !chip.scratch,
		itemIDs:    int(desc.WorkItemIDs) + 1,
		named:      max(leastNamed, int(desc.NamedBarriers)),
	}
	if chip.idsInTraps {
		k.groupID, k.groupInfo = [3]bool{}, false
		k.mode |= alu.DX10Clamp | alu.IEEEMode // these bits of the descriptor mean other things
	}
	calls, err := p.reach(uint32(off), desc.UsesDynamicStack)
	if err != nil {
		return nil, err
	}
	switch {
	case desc.UsesDynamicStack:
		k.Private += dynamicStack
	case calls && k.Private > 0:
		k.Private = min(k.Private+dynamicStack, max(k.Private, mostPrivate))
	}
	k.Private = (k.Private + 15) &^ 15
	if k.Private > mostPrivate {
		return nil, fmt.Errorf("kernel %s: %d bytes of scratch per work-item, more than the %d that a wave can have", name, k.Private, mostPrivate)
	}
	return k, nil
}

// leastNamed is the number of barriers with a number that a workgroup has if its kernel asks for none. (HipKittens, which
// measured it.)
const leastNamed = 4

// lanesOf returns the number of lanes of a kernel's waves.
func lanesOf(desc *codeobj.Descriptor) uint32 {
	if desc.Wavefront32 {
		return 32
	}
	return 64
}

// modeRegister returns MODE at the start of a wave.
func modeRegister(desc *codeobj.Descriptor) uint32 {
	mode := uint32(desc.FloatMode)
	for _, bit := range []struct {
		set bool
		at  uint
	}{{desc.DX10Clamp, 8}, {desc.IEEE, 9}, {desc.FP16Overflow, 23}} {
		if bit.set {
			mode |= 1 << bit.at
		}
	}
	return mode
}

// LDS returns the most workgroup memory that a workgroup can have, in bytes.
func (m *Machine) LDS() uint32 { return m.limits.lds }

// Chip returns the chip of k's code.
func (k *Kernel) Chip() encoding.Chip { return k.program.t.Chip }

// Lanes returns the number of lanes of k's waves.
func (k *Kernel) Lanes() int { return int(k.lanes) }

// Registers returns the number of vector registers that a wave of k uses.
func (k *Kernel) Registers() int { return k.vgprs }

// CachesApart tells why the waves of a workgroup see each other's accesses to global memory in another order than that of
// issue; it is empty if one cache keeps the order. Source: LLVM's "User Guide for AMDGPU Backend", "Memory Model", for
// each family, and for GFX12.5 SIMemoryLegalizer.cpp (SIGfx12CacheControl::insertWait).
func (k *Kernel) CachesApart() string {
	switch {
	case k.wgp:
		return "in WGP mode the waves of a workgroup have two caches"
	case k.split:
		return "in threadgroup split mode the waves of a workgroup have several caches"
	case k.Chip().Set() == encoding.GFX1250:
		return "the cache of a workgroup has two ports without an order between them"
	}
	return ""
}

// unit returns a chip's limits with the part of the chip that holds a workgroup of k as its unit: a compute unit, or
// a workgroup processor. One workgroup still has at most the workgroup memory of the chip's own limits.
func (k *Kernel) unit(c chipLimits) chipLimits {
	if k.wgp {
		c.units, c.simds, c.lds = c.units/2, 2*c.simds, 2*c.lds
	}
	return c
}

// wavesPerUnit returns how many waves of k a unit holds.
func (k *Kernel) wavesPerUnit(c chipLimits) int {
	used := k.vgprs
	if c.files == oneFile {
		used += k.agprs
	}
	registers, step := c.registers, max(c.step, 1)
	if k.lanes == 32 {
		registers, step = 2*registers, 2*step
	}
	used = (max(used, 1) + step - 1) / step * step
	return min(c.waves, registers/used) * c.simds
}

// occupancy returns how many workgroups of a given size a chip holds at once.
func (k *Kernel) occupancy(c chipLimits, waves int, lds uint32) int {
	c = k.unit(c)
	each := k.wavesPerUnit(c) / waves
	if lds > 0 {
		each = min(each, int(c.lds/lds))
	}
	return max(each, 1) * c.units
}

// mostSGPRs is the number of scalar registers that a wave of GFX9 can have: 102, plus VCC and the like, rounded up to
// the allocation size.
const mostSGPRs = 112

// mostUserSGPRs is the number of scalar registers that can be set before a wave starts.
const mostUserSGPRs = 32

// MostWavesInGroup is the number of waves of 32 in a workgroup of 1024 work-items.
const MostWavesInGroup = 32

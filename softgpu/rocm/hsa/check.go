package hsa

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
)

// checking is the checker of Options.Check, with its settings.
type checking struct {
	*check.Checker
	apart bool // blocks keep a distance, and addresses of freed ones are not used again for a while
}

// newChecking makes the checker of kernels; nil if no check of kernels is asked for.
func newChecking(s *space, modes check.Modes, o *Options) *checking {
	if !modes.Any() {
		return nil
	}
	return &checking{check.New(modes, described{s}, o.Findings, o.Abort), modes.Memory}
}

// CheckSummary returns a line about the findings so far; empty if there is nothing to report.
func (sys *System) CheckSummary() string {
	if sys.check == nil {
		return ""
	}
	return sys.check.Summary()
}

// Profile returns the profile of the kernels so far: a text, empty if there is nothing to write, and a
// JSON object for each kernel.
func (sys *System) Profile() (text string, kernels []json.RawMessage) {
	if sys.profile == nil {
		return "", nil
	}
	return sys.profile.Text(), sys.profile.JSON()
}

// blits is the prefix of the names of HIP's own kernels for copies and fills.
const blits = "__amd_rocclr_"

// watches reports whether a kernel belongs to the program, not to the runtime.
func (c *checking) watches(name string, o *loadedObject) bool {
	return c != nil && o != nil && !strings.HasPrefix(name, blits)
}

// Watched blocks are followed by a guard of their own size, within bounds:
// memory that no kernel may access.
const (
	leastGuard = 64 << 10
	mostGuard  = 16 << 20
)

// guard is how many bytes of addresses a block of that size keeps free after it.
func (c *checking) guard(size uint64) uint64 {
	if c == nil || !c.apart {
		return 0
	}
	return min(max(size, leastGuard), mostGuard)
}

// mostQuarantined is how many freed blocks keep their addresses.
const mostQuarantined = 1 << 10

// quarantine keeps the addresses of a freed block from being used again soon. mu is held, and
// the block is not in the space any more.
func (s *space) quarantine(b *Block) {
	s.frees++
	b.freed = s.frees
	protect(b.lo, b.size())
	s.quarantined = append(s.quarantined, b)
	if len(s.quarantined) > mostQuarantined {
		oldest := s.quarantined[0]
		s.quarantined = s.quarantined[1:]
		s.vacateLater(oldest)
	}
}

// nearest is the block, allocated or freed, that an address is in or next to; nil if it is far
// from all. mu is held.
func (s *space) nearest(addr uint64) *Block {
	best, least := (*Block)(nil), uint64(mostGuard)
	for _, list := range [][]*Block{s.blocks, s.quarantined} {
		for _, b := range list {
			away := uint64(0)
			switch {
			case b.kind == internal:
				continue
			case addr < b.lo:
				away = b.lo - addr
			case addr >= b.end():
				away = addr - b.end() + 1
			}
			if away < least {
				best, least = b, away
			}
		}
	}
	return best
}

// guarded reports whether an address is in a guard or in freed memory. mu is held.
func (s *space) guarded(addr uint64) bool {
	b := s.nearest(addr)
	return b != nil && addr >= b.lo && addr < b.hi+b.guard && (b.freed != 0 || addr >= b.hi)
}

// described are the blocks as package check sees them.
type described struct{ *space }

// Find implements check.Blocks.
func (s described) Find(addr uint64) (check.Block, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	b := s.at(addr)
	if b == nil || b.kind == internal || addr >= b.end() {
		return check.Block{}, false
	}
	return check.Block{Lo: b.lo, Hi: b.end()}, true
}

// Describe implements check.Blocks.
func (s described) Describe(addr uint64) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	b := s.nearest(addr)
	if b == nil {
		return ""
	}
	block := fmt.Sprintf("the block of %d bytes at %#x, %s", b.end()-b.lo, b.lo, b.origin())
	switch {
	case addr < b.lo:
		return fmt.Sprintf("%d bytes before %s", b.lo-addr, block)
	case addr >= b.end():
		return fmt.Sprintf("%d bytes past the end of %s", addr-b.end(), block)
	case b.freed != 0:
		return fmt.Sprintf("byte %d of a block that was freed: %s", addr-b.lo, block)
	}
	return fmt.Sprintf("byte %d of %s", addr-b.lo, block)
}

// origin tells where the block comes from.
func (b *Block) origin() string {
	switch {
	case b.site != nil:
		return "allocated by " + b.site.String()
	case b.kind == registered:
		return "registered memory of the host"
	case b.node == hostNode:
		return fmt.Sprintf("allocation %d, of the host's memory", b.serial)
	}
	return fmt.Sprintf("allocation %d, of node %d's memory", b.serial, b.node)
}

// measure stores the size that the program asked for, and the site of the call, at a block that the runtime has
// just allocated.
func (s *space) measure(a *Allocation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.at(a.Address); b != nil && b.kind == allocated && b.lo == a.Address && a.Size <= b.size() {
		site := a.Site
		b.exact, b.site = a.Size, &site
	}
}

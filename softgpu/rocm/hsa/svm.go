package hsa

import (
	"errors"
	"sort"
)

var (
	errNoNode      = errors.New("no such node")
	errNoAttribute = errors.New("no such attribute")
)

// HSA_SVM_ATTR_TYPE values.
const (
	svmPreferred = iota
	svmPrefetch
	svmAccess
	svmAccessInPlace
	svmNoAccess
	svmSetFlags
	svmClearFlags
	svmGranularity
)

const nowhere = 0xffffffff // a location that was not chosen

// svmAttributes are the attributes of a range of the host's memory. GPUs use the host's page tables,
// so the attributes only decide which nodes may access it.
type svmAttributes struct {
	preferred, prefetch, flags, granularity uint32

	denied, inPlace nodeSet // nodes without access, and with access without migration
	granted         nodeSet // nodes that were given access
}

// Memory without attributes: all may access it, coherently.
var svmDefaults = svmAttributes{preferred: nowhere, prefetch: nowhere, flags: 3, granularity: 9}

// svmRange is a range with attributes. Ranges do not overlap, and neighbours differ.
type svmRange struct {
	lo, hi uint64
	svmAttributes
}

// over returns the ranges that cover [lo, hi), those of defaults included.
func (s *space) svmOver(lo, hi uint64) []svmRange {
	var found []svmRange
	for _, r := range s.svm {
		if r.hi <= lo || r.lo >= hi {
			continue
		}
		if r.lo > lo {
			found = append(found, svmRange{lo, r.lo, svmDefaults})
		}
		r.lo, r.hi = max(r.lo, lo), min(r.hi, hi)
		found = append(found, r)
		lo = r.hi
	}
	if lo < hi {
		found = append(found, svmRange{lo, hi, svmDefaults})
	}
	return found
}

// replaceSVM replaces the ranges in [lo, hi).
func (s *space) replaceSVM(lo, hi uint64, by []svmRange) {
	var all []svmRange
	for _, r := range s.svm {
		if r.lo < lo {
			all = append(all, svmRange{r.lo, min(r.hi, lo), r.svmAttributes})
		}
		if r.hi > hi {
			all = append(all, svmRange{max(r.lo, hi), r.hi, r.svmAttributes})
		}
	}
	for _, r := range by {
		if r.svmAttributes != svmDefaults {
			all = append(all, r)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].lo < all[j].lo })
	s.svm = all[:0]
	for _, r := range all {
		if n := len(s.svm); n > 0 && s.svm[n-1].hi == r.lo && s.svm[n-1].svmAttributes == r.svmAttributes {
			s.svm[n-1].hi = r.hi
		} else {
			s.svm = append(s.svm, r)
		}
	}
}

// svmDenies reports whether a node may not access an address. mu is held.
func (s *space) svmDenies(addr uint64, node nodeSet) bool {
	i := sort.Search(len(s.svm), func(i int) bool { return s.svm[i].hi > addr })
	return i < len(s.svm) && s.svm[i].lo <= addr && s.svm[i].denied&node != 0
}

// svmGrants finds what a node was given access to around an address, over ranges that differ in other attributes. An
// access of the node may cross their border. mu is held.
func (s *space) svmGrants(addr uint64, node nodeSet) (lo, hi uint64, ok bool) {
	i := sort.Search(len(s.svm), func(i int) bool { return s.svm[i].hi > addr })
	if i == len(s.svm) || s.svm[i].lo > addr || s.svm[i].granted&node == 0 {
		return 0, 0, false
	}
	lo, hi = s.svm[i].lo, s.svm[i].hi
	for j := i - 1; j >= 0 && s.svm[j].hi == lo && s.svm[j].granted&node != 0; j-- {
		lo = s.svm[j].lo
	}
	for j := i + 1; j < len(s.svm) && s.svm[j].lo == hi && s.svm[j].granted&node != 0; j++ {
		hi = s.svm[j].hi
	}
	return lo, hi, true
}

// forgetSVM drops the attributes of a range that the host has unmapped. space.mu is held.
func (sys *System) forgetSVM(lo, hi uint64) {
	if len(sys.space.svm) > 0 {
		sys.space.replaceSVM(lo, hi, nil)
	}
}

// SVMAttribute is a type and a value.
type SVMAttribute struct{ Kind, Value uint32 }

// SetSVM sets attributes of a range of pages. Nodes are numbers.
func (sys *System) SetSVM(address, size uint64, attributes []SVMAttribute) error {
	s := &sys.space
	s.mu.Lock()
	defer s.mu.Unlock()
	ranges := s.svmOver(address, address+size)
	for _, a := range attributes {
		for n := range ranges {
			if err := ranges[n].set(a.Kind, a.Value, sys.nodes()); err != nil {
				return err
			}
		}
	}
	s.replaceSVM(address, address+size, ranges)
	sys.claim(address, address+size)
	return nil
}

func (a *svmAttributes) set(kind, value uint32, nodes int) error {
	if kind <= svmNoAccess && value != nowhere && int(value) >= nodes {
		return errNoNode
	}
	switch kind {
	case svmPreferred:
		a.preferred = value
	case svmPrefetch:
		a.prefetch = value
	case svmAccess, svmAccessInPlace, svmNoAccess:
		bit := nodeBit(value)
		a.denied, a.inPlace, a.granted = a.denied&^bit, a.inPlace&^bit, a.granted|bit
		switch kind {
		case svmNoAccess:
			a.denied |= bit
			a.granted &^= bit
		case svmAccessInPlace:
			a.inPlace |= bit
		}
	case svmSetFlags:
		a.flags |= value
	case svmClearFlags:
		a.flags &^= value
	case svmGranularity:
		a.granularity = min(value, 63)
	default:
		return errNoAttribute
	}
	return nil
}

// GetSVM stores the values of attributes that a range of pages has throughout. For access it stores the
// kind that applies to the node which the value names.
func (sys *System) GetSVM(address, size uint64, attributes []SVMAttribute) error {
	s := &sys.space
	s.mu.RLock()
	defer s.mu.RUnlock()
	ranges := s.svmOver(address, address+size)
	all := ranges[0].svmAttributes
	clear := ^all.flags
	for _, r := range ranges[1:] {
		if r.preferred != all.preferred {
			all.preferred = nowhere
		}
		if r.prefetch != all.prefetch {
			all.prefetch = nowhere
		}
		all.granularity = min(all.granularity, r.granularity)
		all.denied |= r.denied
		all.inPlace &= r.inPlace
		all.granted &= r.granted
		all.flags &= r.flags
		clear &= ^r.flags
	}
	for i := range attributes {
		a := &attributes[i]
		switch a.Kind {
		case svmPreferred:
			a.Value = all.preferred
		case svmPrefetch:
			a.Value = all.prefetch
		case svmAccess, svmAccessInPlace, svmNoAccess:
			if int(a.Value) >= sys.nodes() {
				return errNoNode
			}
			a.Kind = all.access(nodeBit(a.Value), sys.pageTables)
		case svmSetFlags:
			a.Value = all.flags
		case svmClearFlags:
			a.Value = clear
		case svmGranularity:
			a.Value = all.granularity
		default:
			return errNoAttribute
		}
	}
	return nil
}

// access is the type of a node's access. Nodes that follow the host's page tables have it
// without having been given it.
func (a *svmAttributes) access(node nodeSet, pages bool) uint32 {
	switch {
	case a.denied&node != 0 || !pages && a.granted&node == 0:
		return svmNoAccess
	case a.inPlace&node != 0:
		return svmAccessInPlace
	}
	return svmAccess
}

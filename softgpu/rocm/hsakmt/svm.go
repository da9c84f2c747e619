package hsakmt

import "sort"

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

// svmAttributes are the attributes of a range of the host's memory. GPUs follow the
// host's page tables, so they decide nothing but who may access it.
type svmAttributes struct {
	preferred, prefetch, flags, granularity uint32

	denied, inPlace nodeSet // nodes without access, and with access without migration
}

// Of memory that nobody has said anything of: all may access it, coherently.
var svmDefaults = svmAttributes{preferred: nowhere, prefetch: nowhere, flags: 3, granularity: 9}

// svmRange is a range with attributes. Ranges do not overlap.
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

// replaceSVM puts ranges in the place of what they cover, [lo, hi).
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
	s.svm = all
}

// svmDenies tells whether a node may not access an address. mu is held.
func (s *space) svmDenies(addr uint64, node nodeSet) bool {
	i := sort.Search(len(s.svm), func(i int) bool { return s.svm[i].hi > addr })
	return i < len(s.svm) && s.svm[i].lo <= addr && s.svm[i].denied&node != 0
}

// checkSVM refuses what is not pages, and GPUs that do not share page tables.
func (t *Thunk) checkSVM(address, size uint64) Status {
	switch {
	case !t.pageTables:
		return NotSupported
	case address%page != 0 || size == 0 || size%page != 0 || size > largest || address+size > 1<<47:
		return InvalidParameter
	}
	return Success
}

// SVMSetAttr sets attributes, pairs of a type and a value, of a range of pages.
func (t *Thunk) SVMSetAttr(address, size uint64, count uint32, attributes uint64) Status {
	if s := t.checkSVM(address, size); s != Success {
		return s
	}
	s := &t.space
	s.mu.Lock()
	defer s.mu.Unlock()
	ranges := s.svmOver(address, address+size)
	for i := range uint64(count) {
		kind, value := load32(attributes+8*i), load32(attributes+8*i+4)
		for n := range ranges {
			if status := ranges[n].set(kind, value, t.nodes()); status != Success {
				return status
			}
		}
	}
	s.replaceSVM(address, address+size, ranges)
	return Success
}

func (a *svmAttributes) set(kind, value uint32, nodes int) Status {
	if kind <= svmNoAccess && value != nowhere && int(value) >= nodes {
		return InvalidNode
	}
	switch kind {
	case svmPreferred:
		a.preferred = value
	case svmPrefetch:
		a.prefetch = value
	case svmAccess, svmAccessInPlace, svmNoAccess:
		bit := nodeBit(value)
		a.denied, a.inPlace = a.denied&^bit, a.inPlace&^bit
		if kind == svmNoAccess {
			a.denied |= bit
		} else if kind == svmAccessInPlace {
			a.inPlace |= bit
		}
	case svmSetFlags:
		a.flags |= value
	case svmClearFlags:
		a.flags &^= value
	case svmGranularity:
		a.granularity = min(value, 63)
	default:
		return InvalidParameter
	}
	return Success
}

// SVMGetAttr stores the values of attributes that a range of pages has throughout. For
// access it stores the type that applies to the node which the value names.
func (t *Thunk) SVMGetAttr(address, size uint64, count uint32, attributes uint64) Status {
	if s := t.checkSVM(address, size); s != Success {
		return s
	}
	s := &t.space
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
		all.flags &= r.flags
		clear &= ^r.flags
	}
	for i := range uint64(count) {
		at := attributes + 8*i
		switch kind := load32(at); kind {
		case svmPreferred:
			store32(at+4, all.preferred)
		case svmPrefetch:
			store32(at+4, all.prefetch)
		case svmAccess, svmAccessInPlace, svmNoAccess:
			node := load32(at + 4)
			if int(node) >= t.nodes() {
				return InvalidNode
			}
			store32(at, all.access(nodeBit(node)))
		case svmSetFlags:
			store32(at+4, all.flags)
		case svmClearFlags:
			store32(at+4, clear)
		case svmGranularity:
			store32(at+4, all.granularity)
		default:
			return InvalidParameter
		}
	}
	return Success
}

// access is the type of a node's access.
func (a *svmAttributes) access(node nodeSet) uint32 {
	switch {
	case a.denied&node != 0:
		return svmNoAccess
	case a.inPlace&node != 0:
		return svmAccessInPlace
	}
	return svmAccess
}

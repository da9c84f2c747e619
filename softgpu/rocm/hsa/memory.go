package hsa

const page = 4096

// Charge takes size bytes off a node's memory, and returns false where it has fewer left.
func (sys *System) Charge(node uint32, size uint64) bool {
	limit := sys.vram
	if node == hostNode {
		limit = SystemMemory()
	}
	for {
		n := sys.used[node].Load()
		if n+size > limit {
			return false
		}
		if sys.used[node].CompareAndSwap(n, n+size) {
			for most := sys.peaks[node].Load(); most < n+size && !sys.peaks[node].CompareAndSwap(most, n+size); {
				most = sys.peaks[node].Load()
			}
			return true
		}
	}
}

// Discharge gives them back.
func (sys *System) Discharge(node uint32, size uint64) { sys.used[node].Add(-size) }

// Left is how many bytes of a GPU's memory are not taken.
func (sys *System) Left(node uint32) uint64 { return sys.vram - sys.used[node].Load() }

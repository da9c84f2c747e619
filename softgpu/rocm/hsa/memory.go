package hsa

const page = 4096

// Charge reserves size bytes of a node's memory. It returns false if the node has fewer left.
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

// Discharge releases size bytes that Charge has reserved.
func (sys *System) Discharge(node uint32, size uint64) { sys.used[node].Add(-size) }

// Left returns the bytes of a GPU's memory that are not reserved.
func (sys *System) Left(node uint32) uint64 { return sys.vram - sys.used[node].Load() }

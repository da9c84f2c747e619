package hsakmt

// What the runtime asks of the driver as a whole.

// OpenKFD begins using the library.
func (t *Thunk) OpenKFD() Status { return Success }

// CloseKFD ends it. What the process holds stays valid.
func (t *Thunk) CloseKFD() Status { return Success }

// GetVersion stores the version of the driver's interface: 1.8 is one that gfx9 chips,
// interrupts and SVM work with. ROCm 7 reserves addresses for managed memory from 1.15 on.
func (t *Thunk) GetVersion(info uint64) Status {
	minor := uint64(8)
	if t.release() == ROCm7 {
		minor = 15
	}
	newRecord(info, 0, versionInfo, t.release()).setAll(values{"KernelInterfaceMajorVersion": 1, "KernelInterfaceMinorVersion": minor})
	return Success
}

// AcquireSystemProperties stores how many nodes there are.
func (t *Thunk) AcquireSystemProperties(properties uint64) Status {
	if properties == 0 {
		return InvalidParameter
	}
	newRecord(properties, 0, systemProperties, t.release()).set("NumNodes", uint64(t.nodes()))
	return Success
}

// ReleaseSystemProperties ends the use of what AcquireSystemProperties told.
func (t *Thunk) ReleaseSystemProperties() Status { return Success }

// RuntimeEnable takes the list of loaded code objects, which faults name kernels by. It
// would let a debugger attach and change how errors of queues are reported: refused,
// they are reported through the queue's inactive signal.
func (t *Thunk) RuntimeEnable(debug uint64, _ bool) Status {
	t.debug.Store(debug)
	return NotSupported
}

// RuntimeDisable ends what RuntimeEnable has begun.
func (t *Thunk) RuntimeDisable() Status {
	t.debug.Store(0)
	return Success
}

// GetRuntimeCapabilities stores none.
func (t *Thunk) GetRuntimeCapabilities(mask uint64) Status {
	store32(mask, 0)
	return Success
}

// GetXNACKMode stores whether GPUs repeat accesses to pages that are not there.
func (t *Thunk) GetXNACKMode(enabled uint64) Status {
	store32(enabled, boolean(t.pageTables))
	return Success
}

// SetXNACKMode refuses what the chip was not opened with.
func (t *Thunk) SetXNACKMode(enable int32) Status {
	if (enable != 0) != t.pageTables {
		return NotSupported
	}
	return Success
}

func boolean(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// SetTrapHandler takes the address of a trap handler's code, which the emulator does
// without: it reports traps itself.
func (t *Thunk) SetTrapHandler(node uint32, _, _, _, _ uint64) Status {
	if int(node) >= t.nodes() {
		return InvalidNode
	}
	return Success
}

// GetTileConfig stores how images are tiled.
func (t *Thunk) GetTileConfig(node uint32, config uint64) Status {
	if node == hostNode || int(node) >= t.nodes() {
		return InvalidNode
	}
	r := recordAt(config, 0, tileConfig, t.release())
	r.setAll(values{"NumTileConfigs": 0, "NumMacroTileConfigs": 0, "GbAddrConfig": t.chip.model.Tiles, "NumBanks": 4, "NumRanks": 1})
	return Success
}

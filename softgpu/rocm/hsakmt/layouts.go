package hsakmt

var versionInfo = layout{{name: "KernelInterfaceMajorVersion", size: 4}, {name: "KernelInterfaceMinorVersion", size: 4}}

var systemProperties = layout{{name: "NumNodes", size: 4}, {name: "PlatformOem", size: 4}, {name: "PlatformId", size: 4}, {name: "PlatformRev", size: 4}}

var nodeProperties = layout{
	{name: "NumCPUCores", size: 4},
	{name: "NumFComputeCores", size: 4},
	{name: "NumNeuralCores", size: 4, since: ROCm7},
	{name: "NumMemoryBanks", size: 4},
	{name: "NumCaches", size: 4},
	{name: "NumIOLinks", size: 4},
	{name: "CComputeIdLo", size: 4},
	{name: "FComputeIdLo", size: 4},
	{name: "Capability", size: 4},
	{name: "Capability2", size: 4, since: ROCm7},
	{name: "MaxWavesPerSIMD", size: 4},
	{name: "LDSSizeInKB", size: 4},
	{name: "GDSSizeInKB", size: 4},
	{name: "WaveFrontSize", size: 4},
	{name: "NumShaderBanks", size: 4},
	{name: "NumArrays", size: 4},
	{name: "NumCUPerArray", size: 4},
	{name: "NumSIMDPerCU", size: 4},
	{name: "MaxSlotsScratchCU", size: 4},
	{name: "EngineId", size: 4},
	{name: "OverrideEngineId", size: 4, since: ROCm7},
	{name: "VendorId", size: 2},
	{name: "DeviceId", size: 2},
	{name: "LocationId", size: 4},
	{name: "LocalMemSize", size: 8},
	{name: "MaxEngineClockMhzFCompute", size: 4},
	{name: "MaxEngineClockMhzCCompute", size: 4},
	{name: "DrmRenderMinor", size: 4},
	{name: "MarketingName", size: 128}, // UTF-16
	{name: "AMDName", size: 64},
	{name: "uCodeEngineVersions", size: 4},
	{name: "DebugProperties", size: 8},
	{name: "HiveID", size: 8},
	{name: "NumSdmaEngines", size: 4},
	{name: "NumSdmaXgmiEngines", size: 4},
	{name: "NumSdmaQueuesPerEngine", size: 1},
	{name: "NumCpQueues", size: 1},
	{name: "NumGws", size: 1},
	{name: "Integrated", size: 1},
	{name: "Domain", size: 4},
	{name: "UniqueID", size: 8},
	{name: "VGPRSizePerCU", size: 4},
	{name: "SGPRSizePerCU", size: 4},
	{name: "NumXcc", size: 4}, // to FamilyID: reserved before ROCm 6
	{name: "KFDGpuID", size: 4},
	{name: "FamilyID", size: 4},
}

var memoryProperties = layout{
	{name: "HeapType", size: 4},
	{name: "SizeInBytes", size: 8},
	{name: "Flags", size: 4},
	{name: "Width", size: 4},
	{name: "MemoryClockMax", size: 4},
	{name: "VirtualBaseAddress", size: 8},
}

var cacheProperties = layout{
	{name: "ProcessorIdLow", size: 4},
	{name: "CacheLevel", size: 4},
	{name: "CacheSize", size: 4},
	{name: "CacheLineSize", size: 4},
	{name: "CacheLinesPerTag", size: 4},
	{name: "CacheAssociativity", size: 4},
	{name: "CacheLatency", size: 4},
	{name: "CacheType", size: 4},
	{name: "SiblingMap", size: 1024},
}

var linkProperties = layout{
	{name: "IoLinkType", size: 4},
	{name: "VersionMajor", size: 4},
	{name: "VersionMinor", size: 4},
	{name: "NodeFrom", size: 4},
	{name: "NodeTo", size: 4},
	{name: "Weight", size: 4},
	{name: "MinimumLatency", size: 4},
	{name: "MaximumLatency", size: 4},
	{name: "MinimumBandwidth", size: 4},
	{name: "MaximumBandwidth", size: 4},
	{name: "RecTransferSize", size: 4},
	{name: "RecSdmaEngIdMask", size: 4, since: ROCm7},
	{name: "Flags", size: 4},
}

var queueResource = layout{
	{name: "QueueId", size: 8},
	{name: "QueueDoorBell", size: 8},
	{name: "QueueWptrValue", size: 8},
	{name: "QueueRptrValue", size: 8},
	{name: "ErrorReason", size: 8},
}

var eventDescriptor = layout{{name: "EventType", size: 4}, {name: "NodeId", size: 4}, {name: "SyncVar", size: 16}}

// hsaEvent has the data of memory events; other events' data lie there too.
var hsaEvent = layout{
	{name: "EventId", size: 4},
	{name: "EventData.EventType", size: 4},
	{name: "EventData.EventData.MemoryAccessFault.NodeId", size: 4},
	{name: "EventData.EventData.MemoryAccessFault.VirtualAddress", size: 8},
	{name: "EventData.EventData.MemoryAccessFault.Failure", size: 4},
	{name: "EventData.EventData.MemoryAccessFault.Flags", size: 4},
	{name: "EventData.HWData1", size: 8},
	{name: "EventData.HWData2", size: 8},
	{name: "EventData.HWData3", size: 4},
}

var clockCounters = layout{
	{name: "GPUClockCounter", size: 8},
	{name: "CPUClockCounter", size: 8},
	{name: "SystemClockCounter", size: 8},
	{name: "SystemClockFrequencyHz", size: 8},
}

var pointerInfo = layout{
	{name: "Type", size: 4},
	{name: "Node", size: 4},
	{name: "MemFlags", size: 4},
	{name: "CPUAddress", size: 8},
	{name: "GPUAddress", size: 8},
	{name: "SizeInBytes", size: 8},
	{name: "NRegisteredNodes", size: 4},
	{name: "NMappedNodes", size: 4},
	{name: "RegisteredNodes", size: 8},
	{name: "MappedNodes", size: 8},
	{name: "UserData", size: 8},
}

var tileConfig = layout{
	{name: "TileConfig", size: 8},
	{name: "MacroTileConfig", size: 8},
	{name: "NumTileConfigs", size: 4},
	{name: "NumMacroTileConfigs", size: 4},
	{name: "GbAddrConfig", size: 4},
	{name: "NumBanks", size: 4},
	{name: "NumRanks", size: 4},
	{name: "Reserved", size: 28},
}

// layouts are all of them, by AMD's names.
var layouts = map[string]layout{
	"HsaVersionInfo":      versionInfo,
	"HsaSystemProperties": systemProperties,
	"HsaNodeProperties":   nodeProperties,
	"HsaMemoryProperties": memoryProperties,
	"HsaCacheProperties":  cacheProperties,
	"HsaIoLinkProperties": linkProperties,
	"HsaQueueResource":    queueResource,
	"HsaEventDescriptor":  eventDescriptor,
	"HsaEvent":            hsaEvent,
	"HsaClockCounters":    clockCounters,
	"HsaPointerInfo":      pointerInfo,
	"HsaGpuTileConfig":    tileConfig,
}

package hsakmt

// Status is HSAKMT_STATUS, what every function returns.
type Status int32

// The statuses that are returned here.
const (
	Success             Status = 0
	Failure             Status = 1
	InvalidParameter    Status = 3
	InvalidHandle       Status = 4
	InvalidNode         Status = 5
	NoMemory            Status = 6
	NotSupported        Status = 11
	OutOfResources      Status = 13
	WaitTimeout         Status = 31
	MemoryNotRegistered Status = 36
)

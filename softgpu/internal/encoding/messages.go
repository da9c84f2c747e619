package encoding

// Messages that return something.
const (
	MsgGetDoorbell = 0x80
	MsgGetRealtime = 0x83
)

package late

// GrowStack enlarges the calling goroutine's stack to 256 KiB, by a frame of 192 KiB. Only the used part becomes
// resident.
func GrowStack()

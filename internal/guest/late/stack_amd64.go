package late

// GrowStack makes the calling goroutine's stack 256 KiB, of which only what is
// used becomes resident. It does so by having a frame of 192 KiB.
func GrowStack()

package streampool

// Source says whose work an entry stands for. How the library learns that the work is done depends on it.
type Source uint8

// Sources.
//
//mgpu:enum source
const (
	OwnHandle        Source = iota // the entry's stream or event, which the pool created
	NullStream                     // a device's default stream
	DestroyedStreams               // destroyed with work pending; a wait for the device covers them
	ForeignStreams                 // streams of other libraries; no query or wait covers them
	UnlistedStreams                // streams that have no place in the roster; no query or wait covers them
)

// Told reports whether the driver can query this work, and wait for it, without other work.
func (s Source) Told() bool { return s <= NullStream }

// counted reports whether the pool counts each submission of the work. If it does not, the work counts as pending from
// its first submission on.
//
//mgpu:func source_counted
func (s Source) counted() bool { return s < ForeignStreams }

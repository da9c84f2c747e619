package streampool

// Source says whose work an entry stands for, and so how the library learns that it is done.
type Source uint8

// Sources.
//
//mgpu:enum source
const (
	OwnHandle        Source = iota // the entry's stream or event, which the pool created
	NullStream                     // a device's default stream
	DestroyedStreams               // a device's streams that were destroyed with work pending: a wait for the device tells
	ForeignStreams                 // streams of other libraries: nothing tells
	UnlistedStreams                // the pool's streams beyond the last place in its list: nothing tells
)

// Told reports whether the driver can be asked for this work alone, and waited for.
func (s Source) Told() bool { return s <= NullStream }

// counted reports whether the pool counts each submission of such work. Else the work is pending from
// its first submission on.
//
//mgpu:func source_counted
func (s Source) counted() bool { return s < ForeignStreams }

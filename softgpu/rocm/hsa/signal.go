package hsa

// Offsets in amd_signal_t.
const (
	signalValue   = 8
	signalMailbox = 16
	signalEventID = 24
	signalStart   = 32
	signalEnd     = 40
	signalSize    = 64
)

// decrement completes a packet that began at start: it stores the times, lowers the
// signal by one and then sets the event that the host may be waiting for. No signal is
// a signal too. The host may free the signal once it is lowered. pause is called between
// the two.
func (sys *System) decrement(signal, start uint64, pause func()) {
	if signal == 0 {
		return
	}
	store64(signal+signalStart, start)
	store64(signal+signalEnd, Now())
	mailbox, id := load64(signal+signalMailbox), load32(signal+signalEventID)
	add64(signal+signalValue, -1)
	pause()
	if mailbox != 0 {
		sys.events.set(id)
	}
	sys.poller.kick()
}

// assign sets the signal's value.
func (sys *System) assign(signal, value uint64) {
	mailbox, id := load64(signal+signalMailbox), load32(signal+signalEventID)
	store64(signal+signalValue, value)
	if mailbox != 0 {
		sys.events.set(id)
	}
	sys.poller.kick()
}

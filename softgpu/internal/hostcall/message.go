package hostcall

import "fmt"

// A message's descriptor: flags, the number of valid words among the seven after it, and the message's number in the
// upper bits.
const (
	messageBegin = 1 << 0
	messageEnd   = 1 << 1
	lengthShift  = 5
	lengthMask   = 7
	numberShift  = 8
)

// Limits: the words of one message, 64 MiB, and the number of unfinished messages.
const (
	mostWords    = 8 << 20
	mostMessages = 1 << 20
)

// messages are the unfinished messages, by number.
type messages struct {
	open []message
	free []uint64
}

type message struct {
	words []uint64
	live  bool
}

func (m *messages) clear() { m.open, m.free = m.open[:0], m.free[:0] }

func (m *messages) begin() uint64 {
	if last := len(m.free) - 1; last >= 0 {
		n := m.free[last]
		m.free = m.free[:last]
		m.open[n].live = true
		return n
	}
	m.open = append(m.open, message{live: true})
	return uint64(len(m.open) - 1)
}

func (m *messages) end(n uint64) {
	kept := m.open[n].words[:0]
	if cap(kept) > 1<<10 {
		kept = nil
	}
	m.open[n] = message{words: kept}
	m.free = append(m.free, n)
}

// print appends w to its message, and prints the message at its end. It returns the descriptor for the next packet, or
// at the end the result of printf.
func (b *Buffer) print(w *[laneWords]uint64) error {
	m := &b.messages
	desc := w[0]
	n := desc >> numberShift
	if desc&messageBegin != 0 {
		if len(m.open)-len(m.free) >= mostMessages {
			return fmt.Errorf("hostcall: %d calls of printf have begun and not ended", mostMessages)
		}
		n = m.begin()
		w[0] = n<<numberShift | desc&(1<<numberShift-1)&^messageBegin
	}
	if n >= uint64(len(m.open)) || !m.open[n].live {
		return fmt.Errorf("hostcall: printf goes on with message %d, which has not begun", n)
	}
	at := &m.open[n]
	length := desc >> lengthShift & lengthMask
	if len(at.words)+int(length) > mostWords {
		return fmt.Errorf("hostcall: printf of more than %d bytes", 8*mostWords)
	}
	at.words = append(at.words, w[1:1+length]...)
	if desc&messageEnd == 0 {
		return nil
	}
	w[0] = uint64(int64(b.services.printMessage(at.words)))
	m.end(n)
	return nil
}

// printMessage prints a complete message: a control word, the format, and the arguments with strings in place.
func (s *Services) printMessage(words []uint64) int {
	const toStderr = 1
	if len(words) == 0 || words[0]&^toStderr != 0 {
		return -1
	}
	to := s.Stdout
	if words[0]&toStderr != 0 {
		to = s.Stderr
	}
	text := printf(words[1:])
	if len(text) == 0 {
		return 0
	}
	if n, err := to.Write(text); err != nil || n < len(text) {
		return -1
	}
	return len(text)
}

package timeline

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/hostfile"
)

// Counts are the numbers of things in a timeline.
type Counts struct {
	Events, Threads, Streams int
	Lost, Bytes              uint64
}

func (c Counts) String() string {
	return fmt.Sprintf("%s, %s, %s, %d lost, %s", count.Of(c.Events, "event"), count.Of(c.Threads, "thread"), count.Of(c.Streams, "stream"), c.Lost, count.Of(c.Bytes, "byte"))
}

// WriteFile replaces a file by a timeline as JSON. Whenever the file exists, it is complete.
func WriteFile(t *Timeline, name string) (Counts, error) {
	var c Counts
	err := hostfile.Replace(name, func(to io.Writer) (err error) {
		c, err = t.WriteJSON(to)
		return err
	})
	return c, err
}

// chromeWriter writes events.
type chromeWriter struct {
	to    io.Writer
	buf   []byte
	base  uint64
	n     int
	bytes uint64
	err   error
	known map[string][]byte // strings as JSON
}

const flushAt = 64 << 10

// WriteJSON writes a timeline in the trace event format.
func (t *Timeline) WriteJSON(to io.Writer) (Counts, error) {
	w := &chromeWriter{to: to, base: uint64(t.Part.Monotonic), known: map[string][]byte{}}
	c := Counts{Lost: t.Part.Lost}
	w.raw(`{"displayTimeUnit":"ns","otherData":{"program":`).text(t.Part.Program).raw(`,"driver":`).text(t.Part.Driver).
		raw(fmt.Sprintf(`,"process":%d,"rank":%d,"lost":%d,"monotonic":%d,"realtime":%d},"traceEvents":[`, t.Part.Process, t.Part.Rank, t.Part.Lost, t.Part.Monotonic, t.Part.Realtime))
	streams := map[[2]int]bool{}
	processes := map[int]bool{}
	for _, k := range t.Tracks {
		if k.Device {
			streams[[2]int{k.Process, k.Thread & (1<<20 - 1)}] = true
		} else {
			c.Threads++
		}
		if !processes[k.Process] {
			processes[k.Process] = true
			w.meta("process_name", k, k.ProcessName)
		}
		w.meta("thread_name", k, k.LaneName)
	}
	c.Streams = len(streams)
	named := w.n
	for i := range t.Slices {
		w.slice(t, &t.Slices[i])
	}
	for i := range t.Instants {
		in := &t.Instants[i]
		w.event(t, "i", in.Track, in.At).raw(`,"s":"t","name":`).text(in.Name).raw(`,"cat":`).text(in.Class).raw("}")
	}
	for i, f := range t.Flows {
		w.event(t, "s", f.From, f.Out).flow(f.Name, i)
		w.event(t, "f", f.To, f.In).raw(`,"bp":"e"`).flow(f.Name, i)
	}
	for _, s := range t.Samples {
		w.begin(`{"ph":"C","pid":`).number(uint64(s.Process)).raw(`,"tid":0,"ts":`).time(s.At - w.base).raw(`,"name":`).text(s.Name).
			raw(`,"args":{"value":`).raw(strconv.FormatInt(s.Value, 10)).raw("}}")
	}
	w.raw("\n]}\n").flush()
	c.Events, c.Bytes = w.n-named, w.bytes
	return c, w.err
}

func (w *chromeWriter) flush() {
	if w.err == nil {
		_, w.err = w.to.Write(w.buf)
	}
	w.bytes += uint64(len(w.buf))
	w.buf = w.buf[:0]
}

func (w *chromeWriter) raw(s string) *chromeWriter {
	w.buf = append(w.buf, s...)
	return w
}

func (w *chromeWriter) number(n uint64) *chromeWriter {
	w.buf = strconv.AppendUint(w.buf, n, 10)
	return w
}

// time writes nanoseconds in the format's unit, microseconds.
func (w *chromeWriter) time(ns uint64) *chromeWriter {
	if int64(ns) < 0 {
		ns = 0
	}
	w.number(ns / 1000)
	ns %= 1000
	w.buf = append(w.buf, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
	return w
}

func (w *chromeWriter) text(s string) *chromeWriter {
	b, ok := w.known[s]
	if !ok {
		b, _ = json.Marshal(s)
		if len(w.known) < 10000 {
			w.known[s] = b
		}
	}
	w.buf = append(w.buf, b...)
	return w
}

// begin begins an event.
func (w *chromeWriter) begin(s string) *chromeWriter {
	if len(w.buf) > flushAt {
		w.flush()
	}
	if w.n++; w.n > 1 {
		w.raw(",")
	}
	return w.raw("\n" + s)
}

// event begins an event on a track.
func (w *chromeWriter) event(t *Timeline, phase string, track int, at uint64) *chromeWriter {
	k := &t.Tracks[track]
	return w.begin(`{"ph":"`).raw(phase).raw(`","pid":`).number(uint64(k.Process)).raw(`,"tid":`).number(uint64(k.Thread)).raw(`,"ts":`).time(at - w.base)
}

func (w *chromeWriter) flow(name string, id int) {
	w.raw(`,"cat":"flow","name":`).text(name).raw(`,"id":`).number(uint64(id) + 1).raw("}")
}

func (w *chromeWriter) meta(what string, k Track, name string) {
	w.begin(`{"ph":"M","pid":`).number(uint64(k.Process)).raw(`,"tid":`).number(uint64(k.Thread)).raw(`,"name":"` + what + `","args":{"name":`).text(name).raw("}}")
}

func (w *chromeWriter) slice(t *Timeline, s *Slice) {
	w.event(t, "X", s.Track, s.Start).raw(`,"dur":`).time(s.End - s.Start).raw(`,"name":`).text(s.Name).raw(`,"cat":`).text(s.Class)
	for i, a := range s.Args {
		w.raw(map[bool]string{true: `,"args":{`, false: ","}[i == 0]).text(a.Name).raw(":")
		switch v := a.Value.(type) {
		case uint64:
			w.number(v)
		case bool:
			w.raw(strconv.FormatBool(v))
		case string:
			w.text(v)
		}
	}
	if len(s.Args) > 0 {
		w.raw("}")
	}
	w.raw("}")
}

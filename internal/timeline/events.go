package timeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/input"
	"github.com/mgpu-runtime/mgpu/internal/trace"
)

// Event is an event of the trace event format. Times are in microseconds.
type Event struct {
	Phase    string         `json:"ph"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	At       float64        `json:"ts"`
	Took     float64        `json:"dur,omitempty"`
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	ID       uint64         `json:"id,omitempty"`
	Binding  string         `json:"bp,omitempty"`
	Scope    string         `json:"s,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

// Document is a timeline in the trace event format.
type Document struct {
	Unit  string `json:"displayTimeUnit"`
	Other struct {
		Program   string `json:"program"`
		Driver    string `json:"driver"`
		Process   int    `json:"process"`
		Rank      int    `json:"rank"`
		Lost      uint64 `json:"lost"`
		Monotonic int64  `json:"monotonic"`
		Realtime  int64  `json:"realtime"`
	} `json:"otherData"`
	Events []Event `json:"traceEvents"`
}

// Bytes of memory per byte of a file, measured with 270 MB of records and the 540 MB of JSON made from them: for a
// timeline that is drawn or summarized from JSON, or from records, and for records that are written as JSON.
const (
	jsonCosts    = 12
	recordsCosts = 24
	partCosts    = 10
)

// tooLarge returns an error if the machine has too little memory to read a file.
func tooLarge(size, costs uint64) error {
	if have := input.Memory(); size > have/costs {
		return fmt.Errorf("%d MiB to read, which takes some %d MiB of memory, and there are %d", size>>20, size/(1<<20)*costs, have>>20)
	}
	return nil
}

// Load reads a timeline, or makes it from records. If there is no FILE, it uses the records in FILE.part.
func Load(name string) (*Document, error) {
	d := &Document{}
	name = partOf(name)
	if err := d.read(name); err != nil {
		if path := new(fs.PathError); errors.As(err, &path) {
			err = path.Err
		}
		if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
			return nil, fmt.Errorf("%s is not a timeline of MGPU_TRACE: invalid JSON at byte %d", name, syntax.Offset)
		}
		if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
			return nil, fmt.Errorf("%s is not a timeline of MGPU_TRACE", name)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if d.Other.Monotonic == 0 {
		return nil, fmt.Errorf("%s is not a timeline of MGPU_TRACE", name)
	}
	return d, nil
}

// partOf returns the file that a user means by name: name itself, or if there is no such file, the file of records that
// MGPU_TRACE=name leaves, if it exists.
func partOf(name string) string {
	if _, err := os.Stat(name); err == nil || strings.HasSuffix(name, trace.PartSuffix) {
		return name
	}
	if _, err := os.Stat(name + trace.PartSuffix); err == nil {
		return name + trace.PartSuffix
	}
	return name
}

// read reads the JSON of a timeline, or makes the timeline from records.
func (d *Document) read(name string) error {
	if strings.HasSuffix(name, trace.PartSuffix) {
		p, err := readFile(name, recordsCosts)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if _, err := NewTimeline(p).WriteJSON(&b); err != nil {
			return err
		}
		return json.Unmarshal(b.Bytes(), d)
	}
	f, err := input.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if err := tooLarge(uint64(size), jsonCosts); err != nil {
		return err
	}
	// Read by a stream, so that text which is not JSON is found early.
	from := json.NewDecoder(io.NewSectionReader(f, 0, size))
	if err := from.Decode(d); err == io.EOF || err == io.ErrUnexpectedEOF {
		return &json.SyntaxError{Offset: size}
	} else if err != nil {
		return err
	}
	if _, err := from.Token(); err != io.EOF {
		return &json.SyntaxError{Offset: from.InputOffset()}
	}
	return nil
}

// Merge combines the timelines of several processes. Time zero is that of the first process. Processes of one machine
// share a clock; those of different machines are aligned by the time of day.
func Merge(documents []*Document) *Document {
	first := documents[0]
	for _, d := range documents {
		if d.start(documents) < first.start(documents) {
			first = d
		}
	}
	merged := &Document{Unit: first.Unit, Other: first.Other}
	merged.Other.Lost = 0
	used, flows := map[int]bool{}, uint64(0)
	for _, d := range documents {
		later := float64(d.start(documents)-first.start(documents)) / 1000
		processes, most := map[int]int{}, uint64(0)
		for _, e := range d.Events {
			if _, ok := processes[e.Process]; !ok {
				to := e.Process
				for used[to] { // processes of two machines may have the same number
					to += 1 << 24
				}
				used[to], processes[e.Process] = true, to
			}
			e.Process = processes[e.Process]
			if e.Phase != "M" {
				e.At += later
			}
			if e.ID != 0 {
				most = max(most, e.ID)
				e.ID += flows
			}
			merged.Events = append(merged.Events, e)
		}
		flows += most
		merged.Other.Lost += d.Other.Lost
	}
	return merged
}

// start returns the time zero of a document by the common clock.
func (d *Document) start(all []*Document) int64 {
	const same = 5_000_000 // nanoseconds by which the two clocks of one machine may drift apart
	for _, o := range all {
		if apart := (o.Other.Realtime - o.Other.Monotonic) - (d.Other.Realtime - d.Other.Monotonic); apart > same || apart < -same {
			return d.Other.Realtime
		}
	}
	return d.Other.Monotonic
}

// Write writes a document with one event per line.
func (d *Document) Write(to io.Writer) error {
	other, err := json.Marshal(d.Other)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"displayTimeUnit":"ns","otherData":%s,"traceEvents":[`, other)
	for i := range d.Events {
		line, err := json.Marshal(&d.Events[i])
		if err != nil {
			return err
		}
		b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i > 0])
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	_, err = to.Write(b.Bytes())
	return err
}

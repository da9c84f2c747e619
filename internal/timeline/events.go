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

// Event is an event of the trace event format, as a file has it. Times are in microseconds.
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

// Document is a timeline as a file has it.
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

// What a byte of a file takes of memory, as measured with 270 MB of records and the 540 MB of JSON that they make:
// a timeline to draw or sum up from JSON or from records, and records to be written as JSON.
const (
	jsonCosts    = 12
	recordsCosts = 24
	partCosts    = 10
)

// tooLarge is an error if a file can't be read in the memory that there is.
func tooLarge(size, costs uint64) error {
	if have := input.Memory(); size > have/costs {
		return fmt.Errorf("%d MiB to read, which takes some %d MiB of memory, and there are %d", size>>20, size/(1<<20)*costs, have>>20)
	}
	return nil
}

// Load reads a timeline, or makes it of records: of those of FILE.part where there is no FILE.
func Load(name string) (*Document, error) {
	d := &Document{}
	name = Named(name)
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

// Named returns the file that a user means by a name: the name itself, or where there is no such
// file the file of records that MGPU_TRACE=name leaves, if there is one.
func Named(name string) string {
	if _, err := os.Stat(name); err == nil || strings.HasSuffix(name, trace.PartSuffix) {
		return name
	}
	if _, err := os.Stat(name + trace.PartSuffix); err == nil {
		return name + trace.PartSuffix
	}
	return name
}

// read reads the JSON of a timeline, or makes it of records.
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
	// Text that is no JSON is found as it is read, and not when all of it has been.
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

// Merge puts the timelines of several processes into one, whose time begins with the
// first's. Those of one machine share a clock; others are put together by their time of day.
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
				for used[to] { // processes of two machines may have one number
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

// start is when a document's time begins, by the clock that all have in common.
func (d *Document) start(all []*Document) int64 {
	const same = 5_000_000 // nanoseconds by which the two clocks of one machine drift apart
	for _, o := range all {
		if apart := (o.Other.Realtime - o.Other.Monotonic) - (d.Other.Realtime - d.Other.Monotonic); apart > same || apart < -same {
			return d.Other.Realtime
		}
	}
	return d.Other.Monotonic
}

// Write writes a document, an event a line.
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

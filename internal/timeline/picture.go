package timeline

import (
	"fmt"
	"html"
	"io"
	"math"
	"sort"
	"strings"
)

// Picture says what of a timeline is drawn.
type Picture struct {
	From, To float64 // microseconds; To zero: to the end
	Width    int     // pixels, LeastWidth and more; zero: 1000
}

// LeastWidth is the width of the narrowest picture in pixels.
const LeastWidth = 300

// The picture's measures in pixels.
const (
	usualWidth = 1000
	margin     = 190
	rowHeight  = 18
	titleRow   = 22
	letter     = 6.2
)

var colours = map[string]string{"call": "#4c78a8", "driver": "#f58518", "kernel": "#54a24b", "copy": "#b279a2", "fill": "#9d755d", "region": "#bab0ac",
	"range": "#eeca3b", "bounds": "#54a24b"}

// row is a thread or a lane, with its slices at the depth at which they nest.
type row struct {
	process, thread int
	name, of        string
	depth           int
	slices          []placed
}

type placed struct {
	*Event
	depth int
}

// Draw draws a timeline as SVG. It fails where nothing of it lies within the picture.
func (d *Document) Draw(to io.Writer, p Picture) error {
	if p.Width == 0 {
		p.Width = usualWidth
	}
	_, end := d.span()
	if p.To == 0 {
		p.To = end
	}
	if !(p.To > p.From) || math.IsInf(p.To, 0) {
		return fmt.Errorf("nothing to draw from %.3f us on: the timeline ends at %.3f us", p.From, end)
	}
	rows := d.rows(p)
	var b strings.Builder
	y, last := 8, ""
	x := func(us float64) float64 {
		return margin + (min(max(us, p.From), p.To)-p.From)/(p.To-p.From)*float64(p.Width-margin-10)
	}
	for _, r := range rows {
		if r.of != last {
			last = r.of
			y += titleRow
			fmt.Fprintf(&b, `<text x="8" y="%d" class="p">%s</text>`+"\n", y-6, html.EscapeString(r.of))
		}
		fmt.Fprintf(&b, `<text x="16" y="%d">%s</text>`+"\n", y+13, html.EscapeString(r.name))
		for _, s := range r.slices {
			s.draw(&b, x, y+s.depth*rowHeight)
		}
		y += (r.depth+1)*rowHeight + 6
	}
	var lines strings.Builder
	axis(&lines, p, x, y)
	height := y + 30
	_, err := fmt.Fprintf(to, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
<style>.p{font-weight:bold}.s{fill:#fff;font-size:10px}</style>
<rect width="%d" height="%d" fill="#fff"/>
%s%s</svg>
`, p.Width, height, p.Width, height, p.Width, height, lines.String(), b.String())
	return err
}

func (s placed) draw(b *strings.Builder, x func(float64) float64, y int) {
	from, to := x(s.At), x(s.At+s.Took)
	width := max(to-from, 0.7)
	fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"><title>%s, %.3f us</title></rect>`+"\n",
		from, y, width, rowHeight-2, colours[s.Category], html.EscapeString(s.Name), s.Took)
	name := strings.TrimPrefix(s.Name, "mgpu")
	if room := int((width - 4) / letter); room >= 3 {
		if len(name) > room {
			name = name[:room-1] + "…"
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" class="s">%s</text>`+"\n", from+2, y+12, html.EscapeString(name))
	}
}

// axis draws the time.
func axis(b *strings.Builder, p Picture, x func(float64) float64, y int) {
	step := 1.0
	for i := 0; (p.To-p.From)/step > 10; i++ { // 1, 2, 5, 10, ...
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	for at := 0.0; at <= p.To-p.From; at += step {
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="8" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" fill="#666">%g us</text>`+"\n",
			x(p.From+at), x(p.From+at), y+4, x(p.From+at)+2, y+16, at)
	}
}

// rows are the tracks with their slices within the picture.
func (d *Document) rows(p Picture) []*row {
	by := map[[2]int]*row{}
	processes, threads := map[int]string{}, map[[2]int]string{}
	for i := range d.Events {
		e := &d.Events[i]
		key := [2]int{e.Process, e.Thread}
		name, _ := e.Args["name"].(string)
		switch {
		case e.Phase == "M" && e.Name == "process_name":
			processes[e.Process] = name
		case e.Phase == "M":
			threads[key] = name
		case e.Phase == "X" && e.At+e.Took >= p.From && e.At <= p.To:
			if by[key] == nil {
				by[key] = &row{process: e.Process, thread: e.Thread}
			}
			by[key].slices = append(by[key].slices, placed{Event: e})
		}
	}
	var rows []*row
	for key, r := range by {
		r.of, r.name = processes[key[0]], threads[key]
		r.nest()
		rows = append(rows, r)
	}
	sort.Slice(rows, func(i, j int) bool {
		return rows[i].process < rows[j].process || rows[i].process == rows[j].process && rows[i].thread < rows[j].thread
	})
	return rows
}

// nest gives each slice its depth.
func (r *row) nest() {
	sort.SliceStable(r.slices, func(i, j int) bool {
		a, b := r.slices[i], r.slices[j]
		return a.At < b.At || a.At == b.At && a.Took > b.Took
	})
	var open []float64
	for i := range r.slices {
		s := &r.slices[i]
		for len(open) > 0 && open[len(open)-1] <= s.At+1e-6 {
			open = open[:len(open)-1]
		}
		s.depth = len(open)
		r.depth = max(r.depth, s.depth)
		open = append(open, s.At+s.Took)
	}
}

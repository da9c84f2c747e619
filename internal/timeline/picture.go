package timeline

import (
	"fmt"
	"html"
	"io"
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// Picture says which part of a timeline is drawn.
type Picture struct {
	From, To float64 // microseconds; zero To: to the end
	Last     float64 // microseconds before the end, in the place of From and To; zero: not used
	Width    int     // pixels, at least LeastWidth; zero: 1000
}

// LeastWidth is the width of the narrowest picture in pixels.
const LeastWidth = 300

// The picture's measures in pixels.
const (
	usualWidth = 1000
	margin     = 190
	rowHeight  = 18
	titleRow   = 22
	indent     = 16
	letter     = 6   // width of a letter in a slice, for any font
	title      = 7.2 // width of a letter in the margin, where names may be bold
)

// classes are the kinds of slices, in the order of the legend.
var classes = []struct{ category, colour, legend string }{
	{"range", "#eeca3b", "range of the program"},
	{"call", "#4c78a8", "mgpu call"},
	{"driver", "#f58518", "driver call"},
	{"kernel", "#54a24b", "kernel"},
	{"copy", "#b279a2", "copy"},
	{"fill", "#9d755d", "fill"},
	{"region", "#bab0ac", "region"},
	{"bounds", "#88d27a", "work, from submission to the end of a wait"},
}

func colourOf(category string) string {
	for _, c := range classes {
		if c.category == category {
			return c.colour
		}
	}
	return "#888"
}

// label writes a text that is at most room wide. A longer text is cut and gets a tooltip with the whole text. The width
// does not depend on the font.
func label(b *strings.Builder, x float64, y int, class, text string, room, letter float64) {
	shown, letters := text, utf8.RuneCountInString(text)
	if most := int(room / letter); letters > most {
		shown, letters = string([]rune(text)[:max(most-1, 0)])+"…", most
		fmt.Fprintf(b, `<g><title>%s</title>`, html.EscapeString(text))
		defer b.WriteString("</g>\n")
	} else {
		defer b.WriteByte('\n')
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" class="%s" textLength="%.0f" lengthAdjust="spacingAndGlyphs">%s</text>`, x, y, class, float64(letters)*letter, html.EscapeString(shown))
}

// row is a thread or a lane. Nested slices have a depth.
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

// Draw draws a timeline as SVG. It fails if the picture's time range contains nothing.
func (d *Document) Draw(to io.Writer, p Picture) error {
	if p.Width == 0 {
		p.Width = usualWidth
	}
	_, end := d.span()
	if p.To == 0 {
		p.To = end
	}
	if p.Last != 0 {
		p.From, p.To = max(0, end-p.Last), end
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
			label(&b, indent/2, y-6, "p", r.of, margin-indent, title)
		}
		label(&b, indent, y+13, "r", r.name, margin-indent-4, letter)
		for _, s := range r.slices {
			s.draw(&b, x, y+s.depth*rowHeight)
		}
		y += (r.depth+1)*rowHeight + 6
	}
	var lines strings.Builder // after the slices
	axis(&lines, p, x, y)
	height := legend(&b, rows, p.Width, y+34) + 10
	_, err := fmt.Fprintf(to, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
<style>.p{font-weight:bold}.s{fill:#fff;font-size:10px}.d{fill:#222;font-size:10px}.t{fill:#666}</style>
<rect width="%d" height="%d" fill="#fff"/>
%s%s</svg>
`, p.Width, height, p.Width, height, p.Width, height, lines.String(), b.String())
	return err
}

func (s placed) draw(b *strings.Builder, x func(float64) float64, y int) {
	from, to := x(s.At), x(s.At+s.Took)
	width := max(to-from, 0.7)
	fmt.Fprintf(b, `<g><title>%s, %.3f us</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`,
		html.EscapeString(s.Name), s.Took, from, y, width, rowHeight-2, colourOf(s.Category))
	if room := width - 4; room >= 3*letter {
		name := strings.TrimPrefix(strings.TrimPrefix(s.Name, "mgpu"), "driver ")
		if most := int(room / letter); utf8.RuneCountInString(name) > most {
			name = string([]rune(name)[:most-1]) + "…"
		}
		class := "s"
		if s.Category == "range" || s.Category == "bounds" { // drawn in light colours
			class = "d"
		}
		label(b, from+2, y+12, class, name, room, letter)
	}
	b.WriteString("</g>\n")
}

// legend explains the colours of the slices, from y on, and returns the y after it.
func legend(b *strings.Builder, rows []*row, width, y int) int {
	shown := map[string]bool{}
	for _, r := range rows {
		for _, s := range r.slices {
			shown[s.Category] = true
		}
	}
	x := float64(indent)
	for _, c := range classes {
		if !shown[c.category] {
			continue
		}
		takes := 16 + float64(len(c.legend))*letter
		if x > indent && x+takes > float64(width-indent) {
			x, y = indent, y+rowHeight
		}
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="10" height="10" fill="%s"/>`, x, y, c.colour)
		label(b, x+15, y+9, "t", c.legend, takes, letter)
		x += takes + 18
	}
	return y + 10
}

// axis draws the time, with a line across the rows at each step.
func axis(b *strings.Builder, p Picture, x func(float64) float64, y int) {
	step := 1.0
	for i := 0; (p.To-p.From)/step > 10; i++ { // 1, 2, 5, 10, ...
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	for at := 0.0; at <= p.To-p.From; at += step {
		anchor := "middle"
		if x(p.From+at) > float64(p.Width)-3*indent {
			anchor = "end"
		}
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="8" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" class="t" text-anchor="%s">%g us</text>`+"\n",
			x(p.From+at), x(p.From+at), y+4, x(p.From+at), y+16, anchor, at)
	}
}

// rows returns the tracks with their slices in the picture.
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

// nest computes the depth of each slice.
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

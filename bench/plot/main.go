// Command plot draws the tables that bench/gpu and bench/run print, and bench/RESULTS.md keeps.
//
//	go run . TABLES.md FOLDER
//
// It writes FOLDER/gain-light.svg and -dark.svg, the time of some rows with the stock library, with
// mgpu and by hand, and growth- and images-light.svg and -dark.svg, the curves of "n: ns" rows. Rows that the
// file lacks are left out, and so is a picture without rows; a file without any is an error.
package main

import (
	"bytes"
	"fmt"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// theme are the colours of a picture.
type theme struct {
	name                    string
	ground, text, grid      color.Color
	stock, ours, hand, more color.Color
}

func rgb(v uint32) color.Color {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

var themes = []theme{
	{"light", rgb(0xffffff), rgb(0x1f2328), rgb(0xd1d9e0), rgb(0xb1463c), rgb(0x0969da), rgb(0x8c959f), rgb(0x1a7f37)},
	{"dark", rgb(0x0d1117), rgb(0xe6edf3), rgb(0x3d444d), rgb(0xf08a7e), rgb(0x4493f8), rgb(0x9198a1), rgb(0x3fb950)},
}

// table is what a file says, by the first cell of a row and its column's head.
type table map[string]map[string]string

// read reads all tables of a file. Of rows of the same name the first counts.
func read(text string) table {
	t := table{}
	var head []string
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			head = nil
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case head == nil:
			head = cells
		case strings.HasPrefix(cells[0], "---") || t[cells[0]] != nil:
		default:
			row := map[string]string{}
			for i, c := range cells {
				if i < len(head) {
					row[head[i]] = c
				}
			}
			t[cells[0]] = row
		}
	}
	return t
}

// number is the first number of a cell "12.3 / 45".
func number(cell string) (float64, bool) {
	f := strings.Fields(strings.ReplaceAll(cell, ",", ""))
	if len(f) == 0 {
		return 0, false
	}
	v, err := strconv.ParseFloat(f[0], 64)
	return v, err == nil && v > 0
}

// gained are the rows of the first picture, as the tables and as the picture name them, from
// below.
var gained = []struct{ row, name string }{
	{"transformer, ten blocks, MLIR 22", "transformer, ten blocks, whole program"},
	{"heat, with temporaries, MLIR 22", "heat equation, whole program"},
	{"eight chains of small kernels, MLIR 22", "8 chains of kernels, whole program"},
	{"conjugate gradients, MLIR 22", "conjugate gradients, whole program"},
	{"alloc, free, 1 MiB, beside the driver's own pool", "allocate and free 1 MiB (by hand: the driver's pool)"},
	{"alloc, copy, launch, copy, free, 64 KiB, alone", "allocate, copy, launch, copy, free, 64 KiB"},
	{"loop, MLIR 22, 16 threads", "launch in a loop, MLIR 22, 16 threads"},
	{"loop, MLIR 22, 1 thread", "launch in a loop, MLIR 22"},
	{"loop, MLIR 19, 16 threads", "launch in a loop, MLIR 19, 16 threads"},
	{"loop, MLIR 19, 1 thread", "launch in a loop, MLIR 19"},
}

func newPlot(th theme, title string) *plot.Plot {
	p := plot.New()
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	plot.DefaultFont, plotter.DefaultFont = sans, sans
	p.BackgroundColor = th.ground
	p.Title.Text = title
	for _, s := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		s.Color = th.text
		s.Font.Typeface, s.Font.Variant = sans.Typeface, sans.Variant
	}
	for _, s := range []*draw.LineStyle{&p.X.LineStyle, &p.Y.LineStyle, &p.X.Tick.LineStyle, &p.Y.Tick.LineStyle} {
		s.Color = th.text
	}
	p.Title.TextStyle.Font.Size = vg.Points(13)
	p.Title.Padding = vg.Points(6)
	p.Legend.Padding = vg.Points(2)
	return p
}

// logTicks are powers of ten, named as in the tables.
func logTicks(unit func(float64) string) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) (ticks []plot.Tick) {
		for v := 1e-3; v <= high*1.001; v *= 10 {
			if v >= low*0.999 {
				ticks = append(ticks, plot.Tick{Value: v, Label: unit(v)})
			}
		}
		return ticks
	})
}

func micros(v float64) string {
	if v >= 1e6 {
		return fmt.Sprintf("%.3g s", v/1e6)
	}
	if v >= 1000 {
		return fmt.Sprintf("%.3g ms", v/1000)
	}
	return fmt.Sprintf("%.3g us", v)
}

// count prints how many there are of something.
func count(v float64) string {
	if v >= 1e6 {
		return fmt.Sprintf("%.3g million", v/1e6)
	}
	return fmt.Sprintf("%.0f", v)
}

// bars draws a bar for each value, lying, a little above or below its row's line.
type bars struct {
	at, value []float64
	label     []string
	color     color.Color
	text      draw.TextStyle
	offset    vg.Length
	least     float64
}

func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i := range b.value {
		left, right, mid := x(b.least), x(b.value[i]), y(b.at[i])+b.offset
		const half = 3.8
		c.FillPolygon(b.color, []vg.Point{{X: left, Y: mid - half}, {X: right, Y: mid - half}, {X: right, Y: mid + half}, {X: left, Y: mid + half}})
		c.FillText(b.text, vg.Point{X: right + vg.Points(3), Y: mid - vg.Points(3)}, b.label[i])
	}
}

// Thumbnail implements plot.Thumbnailer.
func (b *bars) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(b.color, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
}

func gain(t table, th theme) (*plot.Plot, error) {
	p := newPlot(th, "Time of one repetition on an H100")
	small := p.Legend.TextStyle
	small.Font.Size = vg.Points(8)
	const least = 0.05
	sides := []*bars{
		{color: th.stock, offset: vg.Points(8.6)},
		{color: th.ours},
		{color: th.hand, offset: vg.Points(-8.6)},
	}
	columns, names := []string{"stock", "ours", "hoisted"}, []string{"stock MLIR runtime", "mgpu", "driver called by hand"}
	var labels []string
	most := 0.0
	for _, g := range gained {
		row := t[g.row]
		if row == nil {
			continue
		}
		at := float64(len(labels))
		labels = append(labels, g.name)
		for i, column := range columns {
			v, ok := number(row[column])
			if !ok {
				continue
			}
			label := micros(v)
			// The tables' ratio is that of the rounds, not of the medians.
			if ratio, ok := number(row["stock : ours"]); column == "ours" && ok && ratio >= 1.05 {
				label += fmt.Sprintf(", %s x", row["stock : ours"])
			}
			sides[i].at, sides[i].value, sides[i].label = append(sides[i].at, at), append(sides[i].value, v), append(sides[i].label, label)
			most = max(most, v)
		}
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("no row of the tables is one that the picture shows, such as %q", gained[len(gained)-1].row)
	}
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks(micros)
	p.X.Min, p.X.Max = least, most*12
	p.Y.Min, p.Y.Max = -0.6, float64(len(labels))-0.4
	grid := plotter.NewGrid()
	grid.Horizontal.Width = 0
	grid.Vertical.Color = th.grid
	p.Add(grid)
	for i, b := range sides {
		b.least, b.text = least, small
		p.Add(b)
		p.Legend.Add(names[i], b)
	}
	p.NominalY(labels...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(labels))-0.4
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0, 0
	p.Legend.Top = true
	return p, nil
}

var point = regexp.MustCompile(`(\d+): ([\d.]+)`)

func growth(t table, th theme) (*plot.Plot, error) {
	return curvesOf(t, th, "Processor time of calls as a program grows, null driver", "number of threads, streams, blocks or modules", false)
}

func images(t table, th theme) (*plot.Plot, error) {
	return curvesOf(t, th, "Processor time of a load and an unload, null driver", "number of modules, or bytes of the image", true)
}

// loads says whether a row is about loads of images.
func loads(name string) bool { return strings.HasPrefix(name, "load ") }

// curvesOf draws the rows about loads of images, or the others.
func curvesOf(t table, th theme, title, along string, ofLoads bool) (*plot.Plot, error) {
	p := newPlot(th, title)
	p.X.Label.Text, p.Y.Label.Text = along, "processor time per call"
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = th.grid, th.grid
	p.Add(grid)
	colors := []color.Color{th.ours, th.stock, th.more, th.hand}
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.RingGlyph{}}
	curves := 0
	for _, name := range sortedNames(t) {
		if loads(name) != ofLoads {
			continue
		}
		var xys plotter.XYs
		for _, m := range point.FindAllStringSubmatch(t[name]["n: ns"], -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			y, _ := strconv.ParseFloat(m[2], 64)
			xys = append(xys, plotter.XY{X: x, Y: y})
		}
		if len(xys) < 2 {
			continue
		}
		line, points, err := plotter.NewLinePoints(xys)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line.Color, points.Color = colors[curves%len(colors)], colors[curves%len(colors)]
		line.Width = vg.Points(1.5)
		points.Shape, points.Radius = shapes[curves/len(colors)%len(shapes)], vg.Points(2.5)
		p.Add(line, points)
		p.Legend.Add(name, line, points)
		curves++
	}
	if curves == 0 {
		return nil, fmt.Errorf("no row of the tables has a column \"n: ns\"")
	}
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker = logTicks(count)
	p.Y.Tick.Marker = logTicks(func(v float64) string { return micros(v / 1000) })
	p.Y.Min, p.Y.Max = 10, p.Y.Max*200
	p.Legend.Top, p.Legend.Left = true, true
	return p, nil
}

// sortedNames are the rows' names, in an order that does not change.
func sortedNames(t table) []string { return slices.Sorted(maps.Keys(t)) }

func save(p *plot.Plot, w, h vg.Length, path string) error {
	c := vgsvg.New(w, h)
	whole := draw.New(c)
	whole.SetColor(p.BackgroundColor)
	whole.Fill(whole.Rectangle.Path())
	p.Draw(draw.Crop(whole, vg.Points(10), vg.Points(-10), vg.Points(8), vg.Points(-8)))
	var svg bytes.Buffer
	if _, err := c.WriteTo(&svg); err != nil {
		return err
	}
	text, err := outlined(svg.String())
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: plot TABLES.md FOLDER")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	t := read(string(text))
	if err := os.MkdirAll(args[1], 0o777); err != nil {
		return err
	}
	drawn := 0
	var missing error
	for _, th := range themes {
		for _, picture := range []struct {
			name   string
			draw   func(table, theme) (*plot.Plot, error)
			height float64
		}{{"gain", gain, 390}, {"growth", growth, 420}, {"images", images, 360}} {
			p, err := picture.draw(t, th)
			if err != nil {
				missing = fmt.Errorf("%s: %s: %w", args[0], picture.name, err)
				continue
			}
			if err := save(p, vg.Points(720), vg.Points(picture.height), filepath.Join(args[1], picture.name+"-"+th.name+".svg")); err != nil {
				return err
			}
			drawn++
		}
	}
	if drawn == 0 {
		return missing
	}
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

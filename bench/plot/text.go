package main

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font/liberation"
)

// perEm is how many units of an outline an em has.
const perEm = 1000

// A text of an SVG file by vgsvg: where it is, its size and colour, and what it says.
var svgText = regexp.MustCompile(`(?s)<text x="([^"]*)" y="([^"]*)" transform="([^"]*)"\s*style="[^"]*font-size:([\d.]+)px(?:;fill:(#\w+))?[^"]*">([^<]*)</text>`)

// outlined makes outlines of a picture's texts, so that it looks the same whatever fonts a reader
// has. Each glyph is there once.
func outlined(svg string) (string, error) {
	sans, err := liberationSans()
	if err != nil {
		return "", err
	}
	o := &outlines{font: sans, glyphs: map[sfnt.GlyphIndex]string{}}
	svg = svgText.ReplaceAllStringFunc(svg, func(element string) string {
		m := svgText.FindStringSubmatch(element)
		return o.text(m[1], m[2], m[3], m[4], m[5], html.UnescapeString(m[6]))
	})
	if o.err == nil && strings.Contains(svg, "<text") {
		o.err = fmt.Errorf("a text has a form that is not known")
	}
	end := strings.LastIndex(svg, "</svg>")
	return svg[:end] + "<defs>" + o.defs.String() + "\n</defs>\n" + svg[end:], o.err
}

func liberationSans() (*sfnt.Font, error) {
	for _, face := range liberation.Collection() {
		if face.Font.Variant == "Sans" && face.Font.Weight == font.WeightNormal && face.Font.Style == font.StyleNormal {
			return face.Face, nil
		}
	}
	return nil, fmt.Errorf("no Liberation Sans")
}

// outlines are the glyphs that a picture uses.
type outlines struct {
	font   *sfnt.Font
	buf    sfnt.Buffer
	glyphs map[sfnt.GlyphIndex]string // names
	defs   strings.Builder
	err    error
}

// text returns a text as a group of glyphs, with the text as its title.
func (o *outlines) text(x, y, transform, size, colour, text string) string {
	pixels, err := strconv.ParseFloat(size, 64)
	if err != nil && o.err == nil {
		o.err = err
	}
	if colour == "" {
		colour = "#000000"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<g fill="%s" transform="%s translate(%s,%s) scale(%.4g)"><title>%s</title>`, colour, transform, x, y, pixels/perEm, html.EscapeString(text))
	at, before := fixed.Int26_6(0), sfnt.GlyphIndex(0)
	for i, r := range text {
		index, err := o.font.GlyphIndex(&o.buf, r)
		if err != nil && o.err == nil {
			o.err = err
		}
		if i > 0 {
			if kern, err := o.font.Kern(&o.buf, before, index, fixed.I(perEm), font.HintingNone); err == nil {
				at += kern
			}
		}
		if name := o.glyph(index); name != "" {
			fmt.Fprintf(&b, `<use href="#%s" x="%d"/>`, name, at.Round())
		}
		advance, err := o.font.GlyphAdvance(&o.buf, index, fixed.I(perEm), font.HintingNone)
		if err != nil && o.err == nil {
			o.err = err
		}
		at, before = at+advance, index
	}
	return b.String() + "</g>"
}

// glyph returns the name of a glyph's outline; empty: there is nothing to draw.
func (o *outlines) glyph(index sfnt.GlyphIndex) string {
	if name, ok := o.glyphs[index]; ok {
		return name
	}
	segments, err := o.font.LoadGlyph(&o.buf, index, fixed.I(perEm), nil)
	if err != nil && o.err == nil {
		o.err = err
	}
	var d strings.Builder
	for _, s := range segments {
		letter := map[sfnt.SegmentOp]string{sfnt.SegmentOpMoveTo: "M", sfnt.SegmentOpLineTo: "L", sfnt.SegmentOpQuadTo: "Q", sfnt.SegmentOpCubeTo: "C"}[s.Op]
		points := map[string]int{"M": 1, "L": 1, "Q": 2, "C": 3}[letter]
		d.WriteString(letter)
		for _, p := range s.Args[:points] {
			fmt.Fprintf(&d, "%d %d ", p.X.Round(), p.Y.Round())
		}
	}
	name := ""
	if d.Len() != 0 {
		name = fmt.Sprintf("g%d", index)
		fmt.Fprintf(&o.defs, "\n<path id=\"%s\" d=\"%sZ\"/>", name, d.String())
	}
	o.glyphs[index] = name
	return name
}

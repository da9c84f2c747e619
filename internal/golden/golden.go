// Package golden compares test output with checked-in files and shows the differences line by line. Only tests use it.
package golden

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/hostfile"
)

// Check compares text with a file. If update is set, it writes the file instead. writes is the command that updates the
// file.
func Check(t testing.TB, file, text string, update bool, writes string) {
	t.Helper()
	if update {
		err := hostfile.Replace(file, func(to io.Writer) error {
			_, err := io.WriteString(to, text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := Diff(string(want), text); diff != "" {
		t.Errorf("%s differs from what this test makes; '%s' updates it:\n%s", file, writes, diff)
	}
}

// Bounds of a diff.
const (
	around    = 2       // unchanged lines shown beside a change
	mostLines = 80      // lines shown
	mostCells = 4 << 20 // entries in the table of common subsequences; above it, all lines count as changed
)

// line is a line of a diff: '-' is only in the old text, '+' only in the new one, ' ' in both.
type line struct {
	sign byte
	text string
}

// Diff returns the lines in which two texts differ, with a few unchanged lines around them; empty if they are equal.
func Diff(old, now string) string {
	if old == now {
		return ""
	}
	lines := compare(strings.Split(old, "\n"), strings.Split(now, "\n"))
	shown := make([]bool, len(lines))
	for i, l := range lines {
		if l.sign != ' ' {
			for n := max(0, i-around); n < min(len(lines), i+around+1); n++ {
				shown[n] = true
			}
		}
	}
	var b strings.Builder
	count, gap := 0, false
	for i, l := range lines {
		if !shown[i] {
			gap = true
			continue
		}
		if gap {
			b.WriteString("    ...\n")
			gap = false
		}
		if count++; count > mostLines {
			b.WriteString("    ... and more\n")
			break
		}
		fmt.Fprintf(&b, "    %c %s\n", l.sign, l.text)
	}
	return b.String()
}

// compare aligns two texts.
func compare(old, now []string) (lines []line) {
	add := func(sign byte, texts []string) {
		for _, text := range texts {
			lines = append(lines, line{sign, text})
		}
	}
	n := 0
	for n < len(old) && n < len(now) && old[n] == now[n] {
		n++
	}
	add(' ', old[:n])
	old, now = old[n:], now[n:]
	end := 0
	for end < len(old) && end < len(now) && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	tail := old[len(old)-end:]
	old, now = old[:len(old)-end], now[:len(now)-end]
	if (len(old)+1)*(len(now)+1) > mostCells {
		add('-', old)
		add('+', now)
	} else {
		lines = append(lines, align(old, now)...)
	}
	add(' ', tail)
	return lines
}

// align is compare by a longest common subsequence.
func align(old, now []string) (lines []line) {
	width := len(now) + 1
	common := make([]int32, (len(old)+1)*width) // length of the common subsequence of old[i:] and now[j:], at i*width+j
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		switch {
		case i < len(old) && j < len(now) && old[i] == now[j]:
			lines = append(lines, line{' ', old[i]})
			i, j = i+1, j+1
		case j == len(now) || i < len(old) && common[(i+1)*width+j] >= common[i*width+j+1]:
			lines = append(lines, line{'-', old[i]})
			i++
		default:
			lines = append(lines, line{'+', now[j]})
			j++
		}
	}
	return lines
}

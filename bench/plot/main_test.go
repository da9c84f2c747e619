package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const tables = `Text, and a table:

| | stock | ours | hoisted | stock : ours |
|---|---|---|---|---|
| loop, MLIR 19, 1 thread | 60.0 / 70 | 10.0 | 12.0 | 6.25 |
| loop, MLIR 22, 1 thread | 2,000 | 10.0 | - | 201 |
| a row that no picture shows | 1 | 1 | 1 | 1.00 |

| | n: ns |
|---|---|
| streams | 1: 100, 1000: 200 |
| one point only | 1: 100 |
`

func drawn(t *testing.T, tables string) (folder string, err error) {
	t.Helper()
	folder = t.TempDir()
	file := filepath.Join(folder, "TABLES.md")
	if err := os.WriteFile(file, []byte(tables), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, run([]string{file, folder})
}

func TestPicturesShowTheRowsThatTheTablesHave(t *testing.T) {
	folder, err := drawn(t, tables)
	if err != nil {
		t.Fatal(err)
	}
	for _, theme := range []string{"light", "dark"} {
		for picture, texts := range map[string][]string{
			"gain":   {"launch in a loop, MLIR 19", "60 us", "10 us, 6.25 x", "2 ms", "10 us, 201 x"},
			"growth": {"streams", "number of threads, streams, blocks or modules", "processor time per call"},
		} {
			svg, err := os.ReadFile(filepath.Join(folder, picture+"-"+theme+".svg"))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				if !strings.Contains(string(svg), ">"+text+"<") {
					t.Errorf("%s, %s: no text %q", picture, theme, text)
				}
			}
			if strings.Contains(string(svg), "<text") || strings.Contains(string(svg), "font") {
				t.Errorf("%s, %s: a text needs a font of the reader's", picture, theme)
			}
			for _, text := range []string{"a row that no picture shows", "one point only", "16 threads"} {
				if strings.Contains(string(svg), text) {
					t.Errorf("%s, %s: %q is there", picture, theme, text)
				}
			}
		}
	}
}

func TestTablesWithoutARowForAPictureAreAnError(t *testing.T) {
	_, err := drawn(t, "| | stock |\n|---|---|\n| something else | 1 |\n")
	if err == nil || !strings.Contains(err.Error(), ": no row of the tables") {
		t.Errorf("the error is %v", err)
	}
}

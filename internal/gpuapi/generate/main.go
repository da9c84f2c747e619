// Command generate writes the C code between package gpuapi and the vendors' libraries:
//
//	go run ./internal/gpuapi/generate ROOT OUT
//
// ROOT is the module's folder. The sources there are internal/hip/symbols.h, internal/cuda/symbols.h and
// internal/gpuapi/calls.def, whose comments explain their lines. The command writes to OUT
//
//	internal/gpuapi/calls.h     struct calls, and gpu_NAME for each call
//	internal/VENDOR/table.h     struct table, the addresses of a library's functions
//	internal/VENDOR/table.c     call_NAME for functions, and the vendor's struct calls
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// vendors are the packages with a symbols.h. The parameters of a call get the names in the first one that has the call.
var vendors = []string{"hip", "cuda"}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: generate ROOT OUT")
	}
	files, err := generate(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(os.Args[2], name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the contents of the files, by their names under the root.
func generate(root string) (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(root, "internal/gpuapi/calls.def"))
	if err != nil {
		return nil, err
	}
	calls, err := parsePrototypes(string(text))
	if err != nil {
		return nil, fmt.Errorf("calls.def: %w", err)
	}
	var libraries []*library
	for _, vendor := range vendors {
		text, err := os.ReadFile(filepath.Join(root, "internal", vendor, "symbols.h"))
		if err != nil {
			return nil, err
		}
		l, err := parseSymbols(vendor, string(text))
		if err != nil {
			return nil, fmt.Errorf("%s/symbols.h: %w", vendor, err)
		}
		libraries = append(libraries, l)
		for _, s := range l.symbols {
			if s.call != "" && calls.find(s.call) == nil {
				calls = append(calls, s.prototype(s.call))
			}
		}
	}
	for _, l := range libraries {
		if err := l.check(calls); err != nil {
			return nil, fmt.Errorf("%s/symbols.h: %w", l.vendor, err)
		}
	}
	files := map[string]string{"internal/gpuapi/calls.h": calls.header()}
	for _, l := range libraries {
		files["internal/"+l.vendor+"/table.h"] = l.header(calls)
		files["internal/"+l.vendor+"/table.c"] = l.source(calls)
	}
	return files, nil
}

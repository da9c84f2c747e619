package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: postlink LINKED RESULT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "postlink:", err)
		os.Exit(1)
	}
}

func run(linked, result string) error {
	data, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	out, err := delayed(data)
	if err != nil {
		return fmt.Errorf("%s: %w", linked, err)
	}
	return os.WriteFile(result, out, 0o644)
}

// delayed returns what the library becomes. It changes data.
func delayed(data []byte) ([]byte, error) {
	l, err := open(data)
	if err != nil {
		return nil, err
	}
	ranges, err := l.goData()
	if err != nil {
		return nil, err
	}
	late, err := l.splitRelocations(ranges)
	if err != nil {
		return nil, err
	}
	if err := l.tell(late); err != nil {
		return nil, err
	}
	out, err := l.stripped(late)
	if err != nil {
		return nil, err
	}
	return out, l.identify(out)
}

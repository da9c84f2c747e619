package dl

import (
	"errors"
	"iter"
	"strings"
)

// First opens paths one by one and returns the first library that can be opened and that accept accepts. An error of
// accept ends the search if it was made with [Stop]. Otherwise the next path is tried; refused libraries stay open. The
// error names every path that was tried, and the reason why it was not used.
func First(paths iter.Seq[string], accept func(*Library) error) (*Library, error) {
	var f failure
	for path := range paths {
		l, err := Open(path)
		if err == nil {
			err = accept(l)
		}
		if err == nil {
			return l, nil
		}
		f = append(f, attempt{path, err})
		if s := (stop{}); errors.As(err, &s) {
			break
		}
	}
	return nil, f
}

// Stop marks an error of accept that ends the search: the library is the right one, but can't be used.
func Stop(why error) error {
	if why == nil {
		return nil
	}
	return stop{why}
}

type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// attempt is a library that could not be used.
type attempt struct {
	path string
	why  error
}

// failure is the error of a search that found no library.
type failure []attempt

// Error prints a reason that consecutive attempts share only once.
func (f failure) Error() string {
	if len(f) == 0 {
		return "no library to try"
	}
	var b strings.Builder
	b.WriteString("tried ")
	for i, a := range f {
		b.WriteString(a.path)
		why := a.why.Error()
		switch last := i == len(f)-1; {
		case last:
			b.WriteString(" (" + why + ")")
		case f[i+1].why.Error() == why:
			b.WriteString(", ")
		default:
			b.WriteString(" (" + why + "), then ")
		}
	}
	return b.String()
}

package dl

import (
	"errors"
	"iter"
	"strings"
)

// First opens the first of paths, which are asked for one by one, that can be opened and that accept takes. An error
// of accept's ends the search if it was made with [Stop]. Otherwise the next path is
// tried; libraries that were refused stay open. The error names every path that was
// tried, and why it was not the one.
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

// Stop marks a reason that ends a search: the library is what was looked for,
// and of no use.
func Stop(why error) error {
	if why == nil {
		return nil
	}
	return stop{why}
}

type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// attempt is a library that was tried in vain.
type attempt struct {
	path string
	why  error
}

// failure is a search that found no library.
type failure []attempt

// Error lets neighbours with the same reason share it.
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

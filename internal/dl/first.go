package dl

import (
	"errors"
	"strings"
)

// First opens the first of paths that can be opened and that accept, if it is
// not nil, takes. An error of accept's ends the search if it was made with
// [Stop]. Otherwise the next path is tried; libraries that were refused stay open.
// The error is a [*Failure].
func First(paths []string, accept func(*Library) error) (*Library, error) {
	var f Failure
	for _, path := range paths {
		l, err := Open(path)
		if err == nil && accept != nil {
			err = accept(l)
		}
		if err == nil {
			return l, nil
		}
		f.Attempts = append(f.Attempts, Attempt{path, err})
		if s := (stop{}); errors.As(err, &s) {
			break
		}
	}
	return nil, &f
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

// Attempt is a library that was tried in vain.
type Attempt struct {
	Path string
	Why  error
}

// Failure is a search that found no library.
type Failure struct{ Attempts []Attempt }

// Error names every path that was tried. Neighbours with the same reason share it.
func (f *Failure) Error() string {
	if len(f.Attempts) == 0 {
		return "no library to try"
	}
	var b strings.Builder
	b.WriteString("tried ")
	for i, a := range f.Attempts {
		b.WriteString(a.Path)
		why := a.Why.Error()
		switch last := i == len(f.Attempts)-1; {
		case last:
			b.WriteString(" (" + why + ")")
		case f.Attempts[i+1].Why.Error() == why:
			b.WriteString(", ")
		default:
			b.WriteString(" (" + why + "), then ")
		}
	}
	return b.String()
}

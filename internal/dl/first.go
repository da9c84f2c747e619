package dl

import "strings"

// First opens the first of paths that can be opened and that accept, if it is
// not nil, takes. A [*Failure] tells of every path why not. Libraries that accept
// refuses stay open.
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
	}
	return nil, &f
}

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
		case !last && f.Attempts[i+1].Why.Error() == why:
			b.WriteString(", ")
		case last:
			b.WriteString(" (" + why + ")")
		default:
			b.WriteString(" (" + why + "), then ")
		}
	}
	return b.String()
}

// Unwrap gives the reasons.
func (f *Failure) Unwrap() []error {
	errs := make([]error, len(f.Attempts))
	for i, a := range f.Attempts {
		errs[i] = a.Why
	}
	return errs
}

package dl

import (
	"fmt"
	"strings"
)

// Symbol is a function that a driver looks for.
type Symbol struct {
	Name     string
	Required bool // whether the library is of no use without it
}

// Addresses looks for symbols. The addresses come back in their order, zero for
// optional ones that the library lacks; the error names required ones that it
// lacks.
func (l *Library) Addresses(symbols []Symbol) ([]uintptr, error) {
	addrs := make([]uintptr, len(symbols))
	var missing []string
	for i, s := range symbols {
		addrs[i] = l.Symbol(s.Name)
		if addrs[i] == 0 && s.Required {
			missing = append(missing, s.Name)
		}
	}
	if missing != nil {
		return nil, &MissingError{Symbols: missing, Of: len(symbols)}
	}
	return addrs, nil
}

// MissingError is a library without functions that a driver can't do without.
type MissingError struct {
	Symbols []string
	Of      int // how many functions were looked for
}

// named is how many missing functions an error names one by one.
const named = 3

func (e *MissingError) Error() string {
	if len(e.Symbols) <= named {
		return "it has no " + strings.Join(e.Symbols, ", no ")
	}
	return fmt.Sprintf("it has no %s and %d more of the %d functions looked for",
		strings.Join(e.Symbols[:named], ", no "), len(e.Symbols)-named, e.Of)
}

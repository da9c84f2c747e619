package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// WrongValue is the error of a variable with an invalid value. It is the user's error.
type WrongValue struct {
	Name, Value string
	Why         error // the allowed values, or what is wrong with the value
}

// Error returns a line that begins with the variable.
func (w *WrongValue) Error() string {
	return fmt.Sprintf("%s=%.60s: %v", w.Name, strings.Map(printable, w.Value), w.Why)
}

// Unwrap returns Why.
func (w *WrongValue) Unwrap() error { return w.Why }

// Wrong returns an error with the allowed values if value is invalid, else nil.
func (s *Setting) Wrong(value string) error {
	if s.Accepts(value) {
		return nil
	}
	why := "expected " + s.Choices()
	if slices.Contains(files, s.Name) {
		why += "; ./" + value + " names a file"
	}
	if slices.Contains(removedValues[s.Name], value) {
		return fmt.Errorf("%s; %s was removed", why, value)
	}
	nearness := func(word string) int { return distance(value, word) }
	near := slices.MinFunc(s.Values, func(a, b string) int { return nearness(a) - nearness(b) })
	if nearness(near) < len(near)/2 {
		why += "; did you mean " + near + "?"
	}
	return errors.New(why)
}

// Read returns the value of a setting in an environment, as parse reads it: zero if the setting is not set, and a
// [WrongValue] if parse fails.
func Read[T any](get func(name string) string, name string, parse func(text string) (value T, ok bool)) (value T, err error) {
	text := get(name)
	if text == "" {
		return value, nil
	}
	value, ok := parse(text)
	if !ok {
		return value, &WrongValue{name, text, errors.New("expected " + Find(name).Choices())}
	}
	return value, nil
}

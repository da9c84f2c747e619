package invariants

import "fmt"

// By names the languages whose code makes a transition.
type By uint8

// Languages.
const (
	Go By = 1 << iota
	C
)

// Transition is a change of state.
type Transition[S fmt.Stringer] struct {
	From, To S
	By       By
	Under    string // what keeps two threads from making the transition at once
}

// state is a constraint for types of states.
type state interface {
	comparable
	fmt.Stringer
}

// Require panics unless the table allows Go the change from from to to.
func Require[S state, T ~struct {
	From, To S
	By       By
	Under    string
}](table []T, from, to S) {
	for _, row := range table {
		if t := Transition[S](row); t.From == from && t.To == to && t.By&Go != 0 {
			return
		}
	}
	panic(fmt.Sprintf("%T: Go has no transition from %s to %s", from, from, to))
}

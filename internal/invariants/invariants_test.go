//go:build invariants

package invariants

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type light uint8

const (
	red light = iota
	green
)

func (l light) String() string { return [...]string{"red", "green"}[l] }

type change Transition[light]

func TestTransitionsAreThoseOfTheTable(t *testing.T) {
	table := []change{{red, green, Go, "one driver"}, {green, red, C, "one driver"}}
	Require(table, red, green)
	require.PanicsWithValue(t, "invariants.light: Go has no transition from red to red", func() { Require(table, red, red) })
	require.Panics(t, func() { Require(table, green, red) }, "it is C's")
}

func TestWhoHoldsAnObjectIsTold(t *testing.T) {
	a, b := new(int), new(int)
	Took("pin", a)
	Took("pin", a)
	Took("hold", b)
	Gave("hold", b)
	Gave("pin", a)
	var told strings.Builder
	require.Equal(t, 1, report(&told, 0))
	require.Contains(t, told.String(), "left: pin of *int ")
	require.Contains(t, told.String(), "TestWhoHoldsAnObjectIsTold")
	require.NotContains(t, told.String(), "hold of")
	Gave("pin", a)
	require.Zero(t, report(&told, 0))
	require.PanicsWithValue(t, fmt.Sprintf("pin of *int %p: given back, and not held", a), func() { Gave("pin", a) })
}

// The thread that took an object gives its own hold back.
func TestAHoldIsGivenBackByWhoTookIt(t *testing.T) {
	a := new(int)
	mine := func() { Took("pin", a) }
	mine()
	done := make(chan bool)
	go func() {
		Took("pin", a)
		Gave("pin", a)
		close(done)
	}()
	<-done
	require.Contains(t, Left()[0], "TestAHoldIsGivenBackByWhoTookIt")
	require.Len(t, Left(), 1)
	Gave("pin", a)
}

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
	Took(Pin, a)
	Took(Pin, a)
	Took(Block, b)
	Gave(Block, b)
	Gave(Pin, a)
	var told strings.Builder
	require.Equal(t, 1, report(&told, 0))
	require.Contains(t, told.String(), "left: pin of 0x")
	require.Contains(t, told.String(), "TestWhoHoldsAnObjectIsTold")
	require.NotContains(t, told.String(), "block of")
	Gave(Pin, a)
	require.Zero(t, report(&told, 0))
	require.PanicsWithValue(t, fmt.Sprintf("pin of *int %p: given back, and not held", a), func() { Gave(Pin, a) })
}

// The thread that took an object gives its own hold back.
func TestAHoldIsGivenBackByWhoTookIt(t *testing.T) {
	a := new(int)
	mine := func() { Took(Pin, a) }
	mine()
	done := make(chan bool)
	go func() {
		Took(Pin, a)
		Gave(Pin, a)
		close(done)
	}()
	<-done
	require.Contains(t, Left()[0], "TestAHoldIsGivenBackByWhoTookIt")
	require.Len(t, Left(), 1)
	Gave(Pin, a)
}

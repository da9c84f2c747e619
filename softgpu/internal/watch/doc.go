// Package watch makes steps that call a wave's Watch before they execute.
//
// [Watched] steps report which bytes each lane will read or write (spread.go computes them from the operands).
// [Counted] steps report which registers they use and which counter they increase. [Touches] answers the same without a
// wave.
package watch

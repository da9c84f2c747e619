// Package watch makes steps that tell a wave's Watch what they are about to do.
//
// [Watched] steps tell which bytes each lane will read or write (spread.go finds them
// again, by the operands); [Counted] steps tell which registers they use and which counter
// they raise. [Touches] answers without a wave.
package watch

// Package waits finds missing waits in a program's text, without running it.
//
// Memory instructions end some time after they were issued; s_waitcnt waits for them by
// counters. [Find] follows each function along all its branches, and keeps what may be under
// way with the fewest younger instructions of its queue on any way there. It takes all
// branches for possible, lanes for all lanes, and calls for complete: the convention is that a
// function waits for everything when it begins and before it returns. Words of LDS, which a
// barrier passes on, are the checker's business (package check), and so are jumps to
// addresses in registers.
package waits

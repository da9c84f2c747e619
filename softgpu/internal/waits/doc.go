// Package waits finds missing waits in a program's text, without running it.
//
// Memory instructions end some time after they were issued; s_waitcnt waits for them by counters. [Find] follows each
// function along all its branches. At each place it has the instructions that may be in progress, each with the fewest
// younger instructions of its queue on any path. It assumes that all branches are possible, that all lanes are active,
// and that calls are complete: by convention a function waits for everything when it begins and before it returns.
// What is in LDS, such as the results of asynchronous copies, and jumps to addresses in registers are left to the checker
// (package check).
package waits

// Package dist holds tests of what is given away: which systems the binaries run on, and
// the packages of make dist, each installed where nothing else is and used by a program.
package dist

// Package dist tests what is distributed: on which systems the binaries run, and the packages of make dist, each
// installed in a minimal system and used by a program.
package dist

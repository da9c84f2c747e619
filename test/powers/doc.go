// Package powers asks which drivers have the powers that driver.Powers lists. It needs cgo, for
// the vendors' drivers; test/policy compares the list with the sources.
package powers

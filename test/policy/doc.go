// Package policy holds tests of the project's rules: which package may import which, where
// C and unsafe may stand, which names are taken, and what the documents say.
package policy

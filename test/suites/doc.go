// Package suites tests scripts/test-suites, which counts the tests of AMD's libraries, and scripts/debian-suite.
package suites

// Package docs does what the documents show and compares it with what they say comes
// of it. What they name is checked by the root package's tests; the commands of
// docs/installing.md by test/package/run.
package docs

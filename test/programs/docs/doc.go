// Package docs does what the documents show and compares it with what they say comes
// of it. What they name is checked by test/policy; the commands of
// docs/installing.md by test/library/package/run.
package docs

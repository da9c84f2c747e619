//go:build !invariants

package invariants

// Enabled reports whether the checks are part of the build.
const Enabled = false

// Took records that the caller holds an object until Gave, which another goroutine may call. An object may be held
// several times.
func Took(Kind, any) {}

// Gave ends a Took: the caller's own if there is one. It panics if there is none.
func Gave(Kind, any) {}

// Left returns a line for each hold that has not ended: who took it.
func Left() []string { return nil }

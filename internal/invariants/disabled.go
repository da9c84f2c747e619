//go:build !invariants

package invariants

// Enabled says whether the checks are part of the build.
const Enabled = false

// Took records that the caller holds an object until Gave, which another goroutine may call. An object
// may be held several times.
func Took(Kind, any) {}

// Gave ends a Took, the caller's own if there is one, and panics if there is none.
func Gave(Kind, any) {}

// Left says of each hold that is left who took it.
func Left() []string { return nil }

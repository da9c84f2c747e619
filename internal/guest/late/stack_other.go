//go:build !amd64

package late

// GrowStack leaves the stack as it is: on this architecture the library is
// built with the plain entry layer.
func GrowStack() {}

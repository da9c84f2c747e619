//go:build !amd64

package late

// GrowStack does nothing: on this architecture the library is built with the plain entry layer.
func GrowStack() {}

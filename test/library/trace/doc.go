// Package trace tests MGPU_TRACE: C hosts with the built library, and the rules of the format of their timelines.
package trace

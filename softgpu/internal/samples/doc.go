// Package samples makes operands and memory for the tests of the software GPU.
//
// The letter of a type selects the values: h a half, f a single, F a double, i and I integers of 32 and 64 bits, s a
// small signed number, w 16 bits. Special values, such as zeros, denormals, infinities and NaNs, are frequent. The
// package does not know what it tests, so tests of every layer can use it.
package samples

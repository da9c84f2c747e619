// Package samples makes operands and memory for the tests of the software GPU.
//
// Values come by the letter of their type: h a half, f a single, F a double, i and I integers
// of 32 and 64 bits, s a small signed number, w 16 bits. Special ones, such as zeros,
// denormals, infinities and NaNs, are frequent. The package knows nothing of what it
// helps to test, so that tests of every layer can use it.
package samples

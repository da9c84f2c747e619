// Package npy reads and writes numpy files (.npy, versions 1 to 3): an array of numbers in row order and the machine's
// byte order.
//
// Arrays in column order or with the other byte order are refused; the error has the numpy call that makes a copy.
// Types that a kernel can't use are refused too: strings, objects, records.
package npy

// Package npy reads and writes files of numpy's format (.npy, versions 1 to 3): an array of
// numbers, in rows, in the machine's byte order.
//
// Arrays in columns and of the other byte order are refused, with numpy's call that makes a
// copy. So are types that a kernel can't take: strings, objects, records.
package npy

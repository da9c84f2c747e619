// Package ranks tells which rank of a parallel program the process is, by the
// environment variables that mpirun, srun, torchrun and their like set for it, and which
// device such a rank gets.
//
// Variables are read by the caller's getenv: the library's and mgpu doctor's differ. All
// functions may be called by any number of goroutines.
package ranks

// Package ranks finds out which rank of a parallel program the process is, from the environment variables that mpirun,
// srun, torchrun and similar tools set, and which device the rank gets.
//
// Variables are read by the caller's getenv, since those of the library and of mgpu doctor differ. All functions may be
// called from any number of goroutines.
package ranks

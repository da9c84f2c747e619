// Package mpi runs MLIR's mpi and shard dialects with Open MPI and MPICH as Debian has
// them: programs give the same bits with any number of ranks, linked and under
// mlir-runner, on one device and on several, and a job in which a rank dies ends.
//
// heat.mlir exchanges halos, ring.mlir passes slabs of a matrix around, shard.mlir is
// partitioned by MLIR and called by shard_main.mlir, endless.mlir dies. As the mpi
// dialect is lowered for one library's ABI, each is lowered for both.
package mpi

// C = A * B, 64 x 64, partitioned by MLIR: each rank has some columns of A and the rows
// of B that belong to them, multiplies them, and gets the sum over all ranks.
// shard_main.mlir calls it. The grid's shape is the number of ranks.

module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {

shard.grid @ranks(shape = 4)

func.func @product(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %zero: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %columns = shard.sharding @ranks split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @ranks split_axes = [[0], []] : !shard.sharding
  %whole = shard.sharding @ranks split_axes = [[], []] : !shard.sharding
  %a0 = shard.shard %a to %columns : tensor<64x64xf32>
  %a1 = shard.shard %a0 to %columns annotate_for_users : tensor<64x64xf32>
  %b0 = shard.shard %b to %rows : tensor<64x64xf32>
  %b1 = shard.shard %b0 to %rows annotate_for_users : tensor<64x64xf32>
  %z0 = shard.shard %zero to %whole : tensor<64x64xf32>
  %z1 = shard.shard %z0 to %whole annotate_for_users : tensor<64x64xf32>
  %c = linalg.matmul ins(%a1, %b1 : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z1 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c0 = shard.shard %c to %whole : tensor<64x64xf32>
  %c1 = shard.shard %c0 to %whole annotate_for_users : tensor<64x64xf32>
  return %c1 : tensor<64x64xf32>
}
}

module github.com/mgpu-runtime/mgpu

go 1.24

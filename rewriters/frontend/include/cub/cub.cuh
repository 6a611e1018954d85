// The block and warp collectives of CUB. Functions that launch kernels of their own
// (cub::DeviceReduce and the like) and iterators need a toolkit: --cuda-path.
#pragma once

#include "block/block_load.cuh"
#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "block/block_store.cuh"
#include "warp/warp_reduce.cuh"
#include "warp/warp_scan.cuh"

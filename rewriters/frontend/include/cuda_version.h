// The version of CUDA that these headers stand for. Ports have it from host/cuda_keywords.h.
#pragma once

#define CUDA_VERSION 12080
#define CUDART_VERSION CUDA_VERSION
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VERSION CUDA_VERSION
#define __CUDART_API_VERSION CUDART_VERSION

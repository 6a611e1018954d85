// Matrix fragments of a warp: every kind of element and every size, rows and columns first, several
// warps in a block, strides that are no multiple of a tile, products over ragged depths that a
// kernel pads in shared memory, access to elements, sums in place and with saturation. What exact
// arithmetic gives is checked against plain loops too.
#include <cuda_fp16.h>
#include <mma.h>

#include "upload.h"

#include <cmath>
#include <cstdio>

using namespace nvcuda;

// One product per warp, of tiles that follow one another in memory.
template <int M, int N, int K, class T, class Sum, class LayoutA, class LayoutB, class Stored>
__global__ void tiles(const Stored *a, const Stored *b, const Sum *c, Sum *d, int count, int pitch,
                      bool by_rows) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (warp >= count)
    return;
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, fd;
  const wmma::layout_t layout = by_rows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(fa, a + warp * 32 * pitch, pitch);
  wmma::load_matrix_sync(fb, b + warp * 32 * pitch, pitch);
  wmma::load_matrix_sync(fc, c + warp * 32 * pitch, pitch, layout);
  wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d + warp * 32 * pitch, fd, pitch, layout);
}

// c = alpha * a * b + beta * c for matrices of any size; one warp per tile of c.
__global__ void multiply(const __half *a, const __half *b, float *c, int rows, int columns,
                         int depth, float alpha, float beta) {
  __shared__ __half left[16 * 16], right[16 * 16];
  __shared__ float out[16 * 16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < depth; k += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      const int row = blockIdx.y * 16 + i / 16, column = blockIdx.x * 16 + i % 16;
      const int ka = k + i % 16, kb = k + i / 16;
      left[i] = row < rows && ka < depth ? a[row * depth + ka] : __half(0.0f);
      right[i] = column < columns && kb < depth ? b[kb * columns + column] : __half(0.0f);
    }
    __syncwarp();
    wmma::load_matrix_sync(fa, left, 16);
    wmma::load_matrix_sync(fb, right, 16);
    wmma::mma_sync(sum, fa, fb, sum);
    __syncwarp();
  }
  for (int e = 0; e < sum.num_elements; ++e)
    sum.x[e] *= alpha;
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) {
    const int row = blockIdx.y * 16 + i / 16, column = blockIdx.x * 16 + i % 16;
    if (row < rows && column < columns)
      c[row * columns + column] = out[i] + beta * c[row * columns + column];
  }
}

__global__ void saturated(const signed char *a, const signed char *b, int *sums, const __half *x,
                          const __half *y, __half *halves) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::load_matrix_sync(fc, sums, 16, wmma::mem_row_major);
  wmma::mma_sync(fc, fa, fb, fc, true);
  wmma::store_matrix_sync(sums, fc, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fx;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fy;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> fz;
  wmma::load_matrix_sync(fx, x, 16);
  wmma::load_matrix_sync(fy, y, 16);
  wmma::fill_fragment(fz, __half(1.0f));
  wmma::mma_sync(fz, fx, fy, fz, true);
  wmma::store_matrix_sync(halves, fz, 16, wmma::mem_row_major);
}

// Factors are rounded to the 10 bits that the product takes.
__global__ void rounded_to_tf32(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = wmma::__float_to_tf32(x[i]);
}

template <class T> std::vector<T> numbers(int n, int step, float scale) {
  std::vector<T> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = T(float((i * step + i / 7) % 29 - 14) * scale);
  return result;
}

template <class T> std::vector<T> back(const T *pointer, int n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), pointer, n * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}

template <int M, int N, int K, class T, class Sum, class Stored, class LayoutA, class LayoutB>
int of_layout(bool a_rows, bool b_rows) {
  int wrong = 0;
  for (int count : {1, 5})
    for (int pitch : {32, 40})
      for (bool by_rows : {true, false}) {
        const int n = count * 32 * pitch;
        const float scale = sizeof(Stored) == 1 ? 1.0f : 0.25f;
        const auto a = numbers<Stored>(n, 7, scale), b = numbers<Stored>(n, 11, scale);
        const auto c = numbers<Sum>(n, 13, 1.0f);
        Stored *da = upload(a), *db = upload(b);
        Sum *dc = upload(c), *dd = upload(std::vector<Sum>(n, Sum(0.0f)));
        tiles<M, N, K, T, Sum, LayoutA, LayoutB>
            <<<(count + 2) / 3, 96>>>(da, db, dc, dd, count, pitch, by_rows);
        const auto d = back(dd, n);
        for (int t = 0; t < count; ++t)
          for (int i = 0; i < M; ++i)
            for (int j = 0; j < N; ++j) {
              const int at = t * 32 * pitch;
              const int place = at + (by_rows ? i * pitch + j : j * pitch + i);
              double sum = double(float(c[place]));
              for (int k = 0; k < K; ++k)
                sum += double(float(a[at + (a_rows ? i * pitch + k : k * pitch + i)])) *
                       double(float(b[at + (b_rows ? k * pitch + j : j * pitch + k)]));
              wrong += float(d[place]) != float(Sum(float(sum)));
            }
        cudaFree(da);
        cudaFree(db);
        cudaFree(dc);
        cudaFree(dd);
      }
  return wrong;
}

template <int M, int N, int K, class T, class Sum, class Stored = T> int of_kind() {
  using wmma::col_major;
  using wmma::row_major;
  return of_layout<M, N, K, T, Sum, Stored, row_major, row_major>(true, true) +
         of_layout<M, N, K, T, Sum, Stored, row_major, col_major>(true, false) +
         of_layout<M, N, K, T, Sum, Stored, col_major, row_major>(false, true);
}

template <class T, class Sum> int of_sizes() {
  return of_kind<16, 16, 16, T, Sum>() + of_kind<32, 8, 16, T, Sum>() +
         of_kind<8, 32, 16, T, Sum>();
}

int main() {
  int wrong = of_sizes<__half, float>() + of_sizes<__half, __half>() +
              of_sizes<__nv_bfloat16, float>() + of_sizes<signed char, int>() +
              of_kind<16, 16, 16, unsigned char, int>() + of_kind<8, 8, 4, double, double>() +
              of_kind<16, 16, 8, wmma::precision::tf32, float, float>();
  const int shapes[][3] = {{16, 16, 16}, {1, 1, 1}, {33, 17, 50}, {7, 40, 31}};
  for (const auto &[rows, columns, depth] : shapes) {
    const auto a = numbers<__half>(rows * depth, 5, 0.5f);
    const auto b = numbers<__half>(depth * columns, 3, 0.25f);
    const auto c = numbers<float>(rows * columns, 17, 1.0f);
    __half *da = upload(a), *db = upload(b);
    float *dc = upload(c);
    const dim3 grid((columns + 15) / 16, (rows + 15) / 16);
    multiply<<<grid, 32>>>(da, db, dc, rows, columns, depth, 0.5f, -2.0f);
    const auto d = back(dc, rows * columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        double sum = 0;
        for (int k = 0; k < depth; ++k)
          sum += double(float(a[i * depth + k])) * double(float(b[k * columns + j]));
        wrong += d[i * columns + j] != float(0.5 * sum - 2.0 * c[i * columns + j]);
      }
  }
  // Sums at both ends of 32 bits; sums of halves beyond their range, and none at all.
  std::vector<int> sums(256);
  for (int i = 0; i < 256; ++i)
    sums[i] = i % 3 ? 2147483600 - i : -2147483600 + i;
  auto x = numbers<__half>(256, 7, 0.5f), y = numbers<__half>(256, 5, 0.5f);
  for (int i = 0; i < 32; ++i) {
    x[i] = __half(i < 16 ? 6e4f : -6e4f);
    y[i] = __half(i < 16 ? 1.5f : -0.0f);
  }
  x[40] = __half(INFINITY), x[41] = __half(-INFINITY), x[70] = __half(NAN);
  __half *halves = upload(std::vector<__half>(256, __half(0.0f)));
  saturated<<<1, 32>>>(upload(numbers<signed char>(256, 7, 9.0f)),
                       upload(numbers<signed char>(256, 11, 9.0f)), upload(sums), upload(x),
                       upload(y), halves);
  for (__half h : back(halves, 256))
    wrong += !(std::fabs(float(h)) <= 65504.0f);
  std::vector<float> odd = {0.0f,        -0.0f,   INFINITY,    -INFINITY,      NAN,   1e-45f,
                            1.00048828f, -1.5e9f, 1.00048816f, 3.40282347e38f, 1e-38f};
  const int n = odd.size();
  rounded_to_tf32<<<1, 32>>>(upload(odd), upload(odd), n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 2;
  if (wrong)
    std::printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}

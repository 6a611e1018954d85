// Fragments of matrices and what a warp does with them.
//
// CUDA leaves open which lane holds which element. Here the accumulator's row i, in groups of
// `width` neighbours, lies in `groups` neighbouring lanes, and so does row i of the first factor;
// the second factor lies so that one element of it, of one number, is what a lane needs next:
//
//   for each k: sum[e] += a(row, k) * b(k, group * width + e), e < width
//
// Products are added in the order of k, starting with the accumulator, each sum rounded to float
// (CUDA leaves order and rounding open). Sums of halves are floats that are rounded at the end,
// and sums of integers are exact modulo 2^32.
#pragma once

#include "begin_library.h"
#include "narrow/fragment_names.inc"

namespace nvcuda {
namespace wmma {

namespace neuronify_details {

template <class A, class B> inline constexpr bool same = false;
template <class A> inline constexpr bool same<A, A> = true;
template <class T, class... Types> inline constexpr bool one_of = (same<T, Types> || ...);

// What a lane holds, what its elements travel and are multiplied as, and what products are summed
// in.
template <class T> struct Element {
  using Stored = T;
  using Factor = T;
};
template <> struct Element<__half> {
  using Stored = __half;
  using Factor = float;
};
template <> struct Element<__nv_bfloat16> {
  using Stored = __nv_bfloat16;
  using Factor = float;
};
template <> struct Element<precision::tf32> {
  using Stored = float;
  using Factor = float;
};
template <> struct Element<signed char> {
  using Stored = signed char;
  using Factor = int;
};
template <> struct Element<char> : Element<signed char> {};
template <> struct Element<unsigned char> {
  using Stored = unsigned char;
  using Factor = int;
};

__device__ __forceinline__ float factor(__half x) { return __half2float(x); }
__device__ __forceinline__ float factor(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ __forceinline__ float factor(float x) { return x; }
__device__ __forceinline__ double factor(double x) { return x; }
__device__ __forceinline__ int factor(signed char x) { return x; }
__device__ __forceinline__ int factor(unsigned char x) { return x; }
__device__ __forceinline__ int factor(int x) { return x; }

template <class T, class Sum> __device__ __forceinline__ T rounded(Sum sum) {
  if constexpr (same<T, __half>)
    return __float2half_rn(sum);
  else
    return sum;
}

template <int M, int N, int K>
inline constexpr bool is_common =
    K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
template <int M, int N, int K> inline constexpr bool is_tf32 = M == 16 && N == 16 && K == 8;
template <int M, int N, int K> inline constexpr bool is_double = M == 8 && N == 8 && K == 4;

template <class Use, class T, int M, int N, int K>
inline constexpr bool is_fragment =
    same<Use, accumulator> ? (one_of<T, __half, int> && is_common<M, N, K>) ||
                                 (same<T, float> && (is_common<M, N, K> || is_tf32<M, N, K>)) ||
                                 (same<T, double> && is_double<M, N, K>)
                           : (one_of<T, __half, __nv_bfloat16, signed char, char, unsigned char> &&
                              is_common<M, N, K>) ||
                                 (same<T, precision::tf32> && is_tf32<M, N, K>) ||
                                 (same<T, double> && is_double<M, N, K>);

// Where the elements lie.
template <int M, int N, int K> struct Places {
  static constexpr int width = M * N / 32; ///< columns of a row that a lane has of the sum
  static constexpr int groups = N / width; ///< lanes that share a row of the sum
  static constexpr int of_a = M * K / 32;  ///< elements of the first factor per lane, of one row
  static constexpr int of_b = K * N / 32;  ///< of the second
  static constexpr int rows_b = of_b < width ? 1 : of_b / width;  ///< rows of them
  static constexpr int parts_b = of_b < width ? width / of_b : 1; ///< lanes that share a group
};

__device__ __forceinline__ int lane() { return __nvvm_read_ptx_sreg_laneid(); }

/// Row and column of element `e` of this lane.
template <class Use, int M, int N, int K>
__device__ __forceinline__ void place(int e, int &row, int &column) {
  using At = Places<M, N, K>;
  if constexpr (same<Use, accumulator>) {
    row = lane() / At::groups;
    column = lane() % At::groups * At::width + e;
  } else if constexpr (same<Use, matrix_a>) {
    row = lane() / At::groups;
    column = lane() % At::groups * At::of_a + e;
  } else if constexpr (At::parts_b > 1) {
    row = lane() / (At::groups * At::parts_b);
    column = lane() % (At::groups * At::parts_b) * At::of_b + e;
  } else {
    row = lane() / At::groups * At::rows_b + e / At::width;
    column = lane() % At::groups * At::width + e % At::width;
  }
}

} // namespace neuronify_details

template <class Use, int M, int N, int K, class T, class Layout> class fragment {
  static_assert(neuronify_details::is_fragment<Use, T, M, N, K>,
                "there is no fragment of these sizes and elements");
  using At = neuronify_details::Places<M, N, K>;

public:
  using element_type = T;
  using storage_element_type = typename neuronify_details::Element<T>::Stored;
  static constexpr int num_storage_elements = neuronify_details::same<Use, accumulator> ? At::width
                                              : neuronify_details::same<Use, matrix_a>  ? At::of_a
                                                                                        : At::of_b;
  static constexpr int num_elements = num_storage_elements;
  storage_element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout, class Value>
__device__ __forceinline__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &to,
                                              const Value &value) {
  using Stored = typename fragment<Use, M, N, K, T, Layout>::storage_element_type;
  for (int e = 0; e < to.num_elements; ++e)
    to.x[e] = static_cast<Stored>(value);
}

namespace neuronify_details {

template <class Use, int M, int N, int K, class T, class Layout>
__device__ __forceinline__ void
load(fragment<Use, M, N, K, T, Layout> &to,
     const typename fragment<Use, M, N, K, T, Layout>::storage_element_type *from, unsigned stride,
     bool by_rows) {
  for (int e = 0; e < to.num_elements; ++e) {
    int row, column;
    place<Use, M, N, K>(e, row, column);
    to.x[e] = by_rows ? from[row * stride + column] : from[column * stride + row];
  }
}

/// The sum with one product more.
__device__ __forceinline__ float accumulate(float sum, float a, float b) {
  return __fadd_rn(sum, __fmul_rn(a, b));
}
__device__ __forceinline__ double accumulate(double sum, double a, double b) {
  return __dadd_rn(sum, __dmul_rn(a, b));
}
__device__ __forceinline__ int accumulate(int sum, int a, int b) {
  return (int)((unsigned)sum + (unsigned)(a * b));
}

/// Saturation of what would be no finite number, and of sums beyond 32 bits.
__device__ __forceinline__ float finite(float x, float most) {
  return x != x ? 0.0f : x > most ? most : x < -most ? -most : x;
}
__device__ __forceinline__ int added(int a, int b) {
  const int sum = (int)((unsigned)a + (unsigned)b);
  const bool beyond = ((a ^ sum) & (b ^ sum)) < 0;
  return beyond ? (a < 0 ? (int)0x80000000 : 0x7fffffff) : sum;
}

template <class A, class B, class C, class D>
inline constexpr bool is_product =
    (same<A, __half> && same<B, __half> && one_of<C, __half, float> && one_of<D, __half, float>) ||
    (one_of<A, __nv_bfloat16, precision::tf32> && same<A, B> && same<C, float> && same<D, float>) ||
    (one_of<A, signed char, char, unsigned char> && same<A, B> && same<C, int> && same<D, int>) ||
    (same<A, double> && same<B, double> && same<C, double> && same<D, double>);

} // namespace neuronify_details

template <class Use, int M, int N, int K, class T, class Layout>
__device__ __forceinline__ void
load_matrix_sync(fragment<Use, M, N, K, T, Layout> &to,
                 const typename fragment<Use, M, N, K, T, Layout>::storage_element_type *from,
                 unsigned stride) {
  static_assert(!neuronify_details::same<Layout, void>, "this fragment needs a layout to load");
  neuronify_details::load(to, from, stride, neuronify_details::same<Layout, row_major>);
}

template <int M, int N, int K, class T>
__device__ __forceinline__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &to,
                                                 const T *from, unsigned stride, layout_t layout) {
  neuronify_details::load(to, from, stride, layout == mem_row_major);
}

template <int M, int N, int K, class T>
__device__ __forceinline__ void store_matrix_sync(T *to,
                                                  const fragment<accumulator, M, N, K, T> &from,
                                                  unsigned stride, layout_t layout) {
  for (int e = 0; e < from.num_elements; ++e) {
    int row, column;
    neuronify_details::place<accumulator, M, N, K>(e, row, column);
    if (layout == mem_row_major)
      to[row * stride + column] = from.x[e];
    else
      to[column * stride + row] = from.x[e];
  }
}

/// d = a * b + c. `saturate`: what is no finite number becomes one, and integers do not wrap.
template <int M, int N, int K, class A, class LayoutA, class B, class LayoutB, class C, class D>
__device__ __forceinline__ void
mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LayoutA> &a,
         const fragment<matrix_b, M, N, K, B, LayoutB> &b,
         const fragment<accumulator, M, N, K, C> &c, bool saturate = false) {
  namespace details = neuronify_details;
  static_assert(details::is_product<A, B, C, D>, "there is no product of these elements");
  using At = details::Places<M, N, K>;
  using Factor = typename details::Element<A>::Factor;
  constexpr unsigned all = 0xffffffffu;
  Factor of_a[At::of_a], of_b[At::of_b], sums[At::width];
  for (int e = 0; e < At::of_a; ++e)
    of_a[e] = details::factor(a.x[e]);
  for (int e = 0; e < At::of_b; ++e)
    of_b[e] = details::factor(b.x[e]);
  const bool wraps = !saturate || !details::same<D, int>;
  for (int e = 0; e < At::width; ++e)
    sums[e] = wraps ? (Factor)details::factor(c.x[e]) : (Factor)0;
  const int group = details::lane() % At::groups;
  for (int k = 0; k < K; ++k) {
    const Factor left = __shfl_sync(all, of_a[k % At::of_a], k / At::of_a, At::groups);
    for (int e = 0; e < At::width; ++e) {
      Factor right;
      if constexpr (At::parts_b > 1)
        right = __shfl_sync(all, of_b[e % At::of_b],
                            (k * At::groups + group) * At::parts_b + e / At::of_b);
      else
        right = __shfl_sync(all, of_b[k % At::rows_b * At::width + e],
                            k / At::rows_b * At::groups + group);
      sums[e] = details::accumulate(sums[e], left, right);
    }
  }
  for (int e = 0; e < At::width; ++e) {
    if constexpr (details::same<D, int>)
      d.x[e] = wraps ? sums[e] : details::added(c.x[e], sums[e]);
    else if constexpr (details::same<D, double>)
      d.x[e] = sums[e];
    else
      d.x[e] = details::rounded<D>(
          saturate ? details::finite(sums[e], details::same<D, __half> ? 65504.0f : 3.40282347e38f)
                   : sums[e]);
  }
}

/// The nearest number of 10 bits of fraction, ties away from zero.
__device__ __forceinline__ float __float_to_tf32(float x) {
  const unsigned bits = __float_as_uint(x);
  return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda

#include "end_library.h"

// What instructions cost, in cycles of their engine or in seconds.
//
// Sources: Trainium architecture guides (cost models of VectorE, ScalarE, TensorE), the NKI
// performance guide and the DMA bandwidth guide. Figures marked "guess" have no published source.
#pragma once

#include "chip/generations.h"
#include "chip/timeline.h"
#include "chip/view.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

namespace nki::chip::costs {

/// Shortest interval between two instructions of an engine, in cycles.
inline constexpr double kMinimum = 64;
/// From the end of an instruction to the start of one that waits for it, in cycles.
inline constexpr double kResultLatency = 100;
/// Reading accumulator registers out, in cycles.
inline constexpr double kReadAccumulators = 64;

/// From a transfer's trigger to its start, and per set of descriptors that hardware generates.
inline constexpr double kTransferLatency = 1.3e-6, kHardwareDescriptors = 600e-9;
inline constexpr double kGenerators = 2;
/// What every contiguous run of a transfer costs, as bytes that could have been moved. Guess: it
/// puts runs of 4 KiB at 94 % of the peak, 2 KiB at 89 % and 256 B at 50 %, where the guide says
/// "at peak", "near peak" and "overhead-bound".
inline constexpr double kRunOverheadBytes = 256;
/// GpSimdE cycles per index of a transfer whose descriptors it generates. Guess.
inline constexpr double kCyclesPerIndex = 10;
/// Partitions that one GpSimdE processor handles one after the other in a partition reduction:
/// guess.
inline constexpr double kPartitionReduction = 16;

/// From the arrival of the last core at a barrier to the moment when all go on: guess.
inline constexpr double kBarrier = 1e-6;

/// Seconds that a transfer takes on all DMA engines of a core that it can use.
inline double transfer(const Generation &generation, const TransferShape &shape) {
  double runs = std::max(double(shape.bytes) / double(std::max<int64_t>(shape.run_bytes, 1)), 1.0);
  double engines = shape.partitions
                       ? std::min<double>(generation.dma_engines, double(shape.partitions))
                       : generation.dma_engines;
  double per_run =
      (double(shape.run_bytes) + kRunOverheadBytes) / generation.dma_engine_bytes_per_second;
  return std::max(runs / engines, 1.0) * per_run;
}

inline bool is_two_byte_float(const View &view) {
  return view.type == DType::bfloat16 || view.type == DType::float16;
}
inline bool in_sbuf(const View &view) { return view.storage->buffer == Buffer::sbuf; }
/// Innermost strides over 16 bytes halve the bandwidth.
inline double stride_factor(std::initializer_list<const View *> views) {
  for (const View *view : views)
    if (view->elements > 1 && std::abs(view->pattern.inner().stride) > 16)
      return 2;
  return 1;
}

/// One input tile: N cycles; v3 and v4 have a faster mode for 2-byte floats.
inline double one_input(const Generation &generation, Unit engine, const View &dst,
                        const View &src) {
  double cycles = double(dst.elements) * stride_factor({&dst, &src});
  bool fast = is_two_byte_float(dst) && is_two_byte_float(src) && engine != Unit::gpsimd &&
              generation.has(engine == Unit::scalar ? Feature::scalar_two_byte_mode
                                                    : Feature::vector_two_byte_modes);
  if (!fast)
    return cycles;
  bool both = in_sbuf(dst) && in_sbuf(src), one = in_sbuf(dst) || in_sbuf(src);
  bool contiguous = dst.is_run() && src.is_run();
  if (engine == Unit::scalar)
    return both ? cycles / 2 : cycles;
  return both && contiguous ? cycles / 4 : (both || (one && contiguous)) ? cycles / 2 : cycles;
}

/// Two input tiles: 2N cycles; N for 2-byte floats in SBUF on v3 and v4, and where one tile is in
/// SBUF and the other in PSUM, since each memory delivers one element per cycle (calibrated on the
/// published Mamba times).
inline double two_inputs(const Generation &generation, const View &dst, const View &a,
                         const View &b) {
  double cycles = 2 * double(dst.elements) * stride_factor({&dst, &a, &b});
  if (in_sbuf(a) != in_sbuf(b))
    return cycles / 2;
  bool fast = generation.has(Feature::vector_two_byte_modes) && is_two_byte_float(dst) &&
              is_two_byte_float(a) && is_two_byte_float(b) && in_sbuf(a) && in_sbuf(b);
  return fast ? cycles / 2 : cycles;
}

/// TensorE: one cycle per moving column; fp32 takes four passes, two where one side is 0 or 1 only.
inline double matmul(const View &moving, bool one_zero) {
  bool wide = moving.type == DType::float32;
  return std::max(double(moving.elements), kMinimum) * (wide ? (one_zero ? 2 : 4) : 1);
}

} // namespace nki::chip::costs

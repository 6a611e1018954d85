// Streaming elements of views through a compute type, as the engines do.
//
// An instruction's arithmetic is written once, on adjacent elements of the compute type (float for
// arithmetic, uint32_t for bit operators and exact integers). Here the operands' types and patterns
// are turned into such runs, in chunks that stay in the host's first-level cache; where an operand
// is a run of the compute type already, it is used in place.
#pragma once

#include "chip/numbers.h"
#include "chip/view.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace nki::chip {

inline constexpr int64_t kChunk = 1024;

// `count` elements `stride` bytes apart, from or to adjacent elements of the compute type.
void load_floats(float *to, DType type, const uint8_t *from, int64_t stride, int64_t count);
void store_floats(uint8_t *to, DType type, int64_t stride, const float *from, int64_t count);
/// Bit patterns, zero-extended.
void load_bits(uint32_t *to, DType type, const uint8_t *from, int64_t stride, int64_t count);
/// The low bits.
void store_bits(uint8_t *to, DType type, int64_t stride, const uint32_t *from, int64_t count);

inline void load(float *to, DType type, const uint8_t *from, int64_t stride, int64_t count) {
  load_floats(to, type, from, stride, count);
}
inline void load(uint32_t *to, DType type, const uint8_t *from, int64_t stride, int64_t count) {
  load_bits(to, type, from, stride, count);
}
inline void store(uint8_t *to, DType type, int64_t stride, const float *from, int64_t count) {
  store_floats(to, type, stride, from, count);
}
inline void store(uint8_t *to, DType type, int64_t stride, const uint32_t *from, int64_t count) {
  store_bits(to, type, stride, from, count);
}

/// Whether elements of `type` are elements of C as they lie in memory.
template <class C> bool is_native(DType type) {
  if constexpr (std::is_same_v<C, float>)
    return type == DType::float32 || type == DType::tfloat32;
  else
    return size_of(type) == 4;
}

/// Reads one partition of a view, chunk by chunk.
template <class C> class Source {
public:
  explicit Source(const View &view)
      : view_(view), walk_(view.pattern), direct_(is_native<C>(view.type) && view.is_run()) {}
  void begin(int64_t partition) {
    row_ = view_.row(partition);
    walk_ = PatternWalk(view_.pattern);
  }
  /// The next `count` elements, at most kChunk.
  const C *next(int64_t count) {
    if (direct_) {
      const C *here = reinterpret_cast<const C *>(row_ + walk_.offset());
      walk_.advance(count);
      return here;
    }
    for (int64_t done = 0; done < count;) {
      int64_t run = std::min(count - done, walk_.left_in_run());
      load(buffer_ + done, view_.type, row_ + walk_.offset(), view_.pattern.inner().stride, run);
      walk_.advance(run);
      done += run;
    }
    return buffer_;
  }

private:
  const View &view_;
  PatternWalk walk_;
  const uint8_t *row_ = nullptr;
  bool direct_;
  alignas(64) C buffer_[kChunk];
};

/// Writes one partition of a view, chunk by chunk.
template <class C> class Sink {
public:
  explicit Sink(const View &view)
      : view_(view), walk_(view.pattern),
        direct_(view.is_run() && is_native<C>(view.type) && view.type != DType::tfloat32) {}
  void begin(int64_t partition) {
    row_ = view_.row(partition);
    walk_ = PatternWalk(view_.pattern);
  }
  /// Where the next chunk's results go; put() makes them final.
  C *next() { return direct_ ? reinterpret_cast<C *>(row_ + walk_.offset()) : buffer_; }
  void put(int64_t count) {
    if (direct_) {
      walk_.advance(count);
      return;
    }
    for (int64_t done = 0; done < count;) {
      int64_t run = std::min(count - done, walk_.left_in_run());
      store(row_ + walk_.offset(), view_.type, view_.pattern.inner().stride, buffer_ + done, run);
      walk_.advance(run);
      done += run;
    }
  }

private:
  const View &view_;
  PatternWalk walk_;
  uint8_t *row_ = nullptr;
  bool direct_;
  alignas(64) C buffer_[kChunk];
};

/// f(partition, out, in0, in1, ..., count) over all chunks of views with equally many elements.
template <class C, class F, class... V> void stream(F &&f, const View &dst, const V &...sources) {
  Sink<C> sink(dst);
  auto run = [&](auto &&...from) {
    for (int64_t p = 0; p < dst.partitions; ++p) {
      sink.begin(p);
      (from.begin(p), ...);
      for (int64_t done = 0; done < dst.elements;) {
        int64_t count = std::min(kChunk, dst.elements - done);
        f(p, sink.next(), from.next(count)..., count);
        sink.put(count);
        done += count;
      }
    }
  };
  run(Source<C>(sources)...);
}

} // namespace nki::chip

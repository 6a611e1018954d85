// Streaming elements of views through a compute type, as the engines do.
//
// An instruction's arithmetic is written once, on adjacent elements of the compute type (float for
// arithmetic, uint32_t for bit operators and exact integers). Here the operands' types and patterns
// are turned into such runs, in chunks that stay in the host's first-level cache; where an operand
// is a run of the compute type already, it is used in place.
#pragma once

#include "chip/kernels/kernels.h"
#include "chip/scratch.h"
#include "chip/view.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace nki::chip {

inline constexpr int64_t kChunk = 1024;

// `count` elements `stride` bytes apart, from or to adjacent elements of the compute type: floats
// by value, bits as patterns (zero-extended; the low ones).
inline void load(float *to, DType type, const uint8_t *from, int64_t stride, int64_t count) {
  kernels().load_floats[int(type)](to, from, stride, count);
}
inline void load(uint32_t *to, DType type, const uint8_t *from, int64_t stride, int64_t count) {
  kernels().load_bits[size_of(type)](to, from, stride, count);
}
inline void store(uint8_t *to, DType type, int64_t stride, const float *from, int64_t count) {
  kernels().store_floats[int(type)](to, stride, from, count);
}
inline void store(uint8_t *to, DType type, int64_t stride, const uint32_t *from, int64_t count) {
  kernels().store_bits[size_of(type)](to, stride, from, count);
}

/// Whether elements of `type` are values of C as they lie in memory.
template <class C> bool is_native(DType type) {
  if constexpr (std::is_same_v<C, float>)
    return type == DType::float32;
  else
    return size_of(type) == 4;
}

/// Whether `view` can be used in place as adjacent elements of C, row by row.
template <class C> bool is_direct(const View &view) {
  return view.is_run() && is_native<C>(view.type);
}

/// Reads one partition of a view, chunk by chunk.
template <class C> class Source {
public:
  explicit Source(const View &view)
      : view_(view), walk_(view.pattern), direct_(is_direct<C>(view)) {}
  void begin(int64_t partition) {
    row_ = view_.row(partition);
    if (!direct_)
      walk_ = PatternWalk(view_.pattern);
  }
  /// The next `count` elements, at most kChunk.
  const C *next(int64_t count) {
    if (direct_) {
      const C *here = reinterpret_cast<const C *>(row_);
      row_ += count * int64_t(sizeof(C));
      return here;
    }
    load_runs(buffer_, count);
    return buffer_;
  }
  /// The next `count` elements, any number, to elsewhere.
  void get(C *to, int64_t count) {
    if (direct_) {
      std::memcpy(to, row_, size_t(count) * sizeof(C));
      row_ += count * int64_t(sizeof(C));
    } else {
      load_runs(to, count);
    }
  }

private:
  void load_runs(C *to, int64_t count) {
    for (int64_t done = 0; done < count;) {
      int64_t run = std::min(count - done, walk_.left_in_run());
      load(to + done, view_.type, row_ + walk_.offset(), view_.pattern.inner().stride, run);
      walk_.advance(run);
      done += run;
    }
  }

  const View &view_;
  PatternWalk walk_;
  const uint8_t *row_ = nullptr;
  bool direct_;
  alignas(64) C buffer_[kChunk];
};

/// Writes one partition of a view, chunk by chunk.
template <class C> class Sink {
public:
  explicit Sink(const View &view) : view_(view), walk_(view.pattern), direct_(is_direct<C>(view)) {}
  void begin(int64_t partition) {
    row_ = view_.row(partition);
    if (!direct_)
      walk_ = PatternWalk(view_.pattern);
  }
  /// Where the next chunk's results go; put() makes them final.
  C *next() { return direct_ ? reinterpret_cast<C *>(row_) : buffer_; }
  void put(int64_t count) {
    if (direct_)
      row_ += count * int64_t(sizeof(C));
    else
      store_runs(buffer_, count);
  }
  /// The next `count` elements, any number, from elsewhere.
  void put(const C *from, int64_t count) {
    if (direct_) {
      std::memcpy(row_, from, size_t(count) * sizeof(C));
      row_ += count * int64_t(sizeof(C));
    } else {
      store_runs(from, count);
    }
  }

private:
  void store_runs(const C *from, int64_t count) {
    for (int64_t done = 0; done < count;) {
      int64_t run = std::min(count - done, walk_.left_in_run());
      store(row_ + walk_.offset(), view_.type, view_.pattern.inner().stride, from + done, run);
      walk_.advance(run);
      done += run;
    }
  }

  const View &view_;
  PatternWalk walk_;
  uint8_t *row_ = nullptr;
  bool direct_;
  alignas(64) C buffer_[kChunk];
};

/// f(partition, out, in0, in1, ..., count) over all views, row by row and chunk by chunk.
template <class C, class F, class... V>
void stream_through_buffers(F &&f, const View &dst, const V &...sources) {
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

/// f(partition, out, in0, in1, ..., count) over all chunks of views with equally many elements.
/// Chunks have at most kChunk elements and come in order.
template <class C, class F, class... V> void stream(F &&f, const View &dst, const V &...sources) {
  if (!(is_direct<C>(dst) && ... && is_direct<C>(sources)))
    return stream_through_buffers<C>(f, dst, sources...);
  for (int64_t p = 0; p < dst.partitions; ++p)
    for (int64_t done = 0; done < dst.elements; done += kChunk)
      f(p, reinterpret_cast<C *>(dst.row(p)) + done,
        reinterpret_cast<const C *>(sources.row(p)) + done...,
        std::min(kChunk, dst.elements - done));
}

/// The same for operations that treat all partitions alike: whole contiguous tiles are one run.
template <class C, class F, class... V>
void stream_uniform(F &&f, const View &dst, const V &...sources) {
  auto whole = [&](const View &view) {
    return is_direct<C>(view) &&
           (dst.partitions == 1 || view.pitch == dst.elements * int64_t(sizeof(C)));
  };
  if (!(whole(dst) && ... && whole(sources)))
    return stream<C>(f, dst, sources...);
  f(0, reinterpret_cast<C *>(dst.row(0)), reinterpret_cast<const C *>(sources.row(0))...,
    dst.partitions * dst.elements);
}

/// All elements of `view`, row by row, to and from adjacent elements of C.
template <class C> void read_rows(const View &view, C *to) {
  Source<C> from(view);
  for (int64_t p = 0; p < view.partitions; ++p) {
    from.begin(p);
    from.get(to, view.elements);
    to += view.elements;
  }
}
template <class C> void write_row(Sink<C> &to, const C *from, int64_t elements) {
  to.put(from, elements);
}
template <class C> void write_rows(const View &view, const C *from) {
  Sink<C> to(view);
  for (int64_t p = 0; p < view.partitions; ++p) {
    to.begin(p);
    write_row(to, from + p * view.elements, view.elements);
  }
}

} // namespace nki::chip

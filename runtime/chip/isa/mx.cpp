#include "chip/isa/mx.h"

#include "chip/stream.h"

namespace nki::chip::isa {

void quantize_mx(const View &dst, const View &src, const View &scales) {
  const int64_t columns = dst.elements;
  auto quantize = kernels().quantize_mx[dst.type == DType::float8_e5m2_x4];
  auto values = scratch<float>(src.partitions * src.elements), spare = scratch<float>(src.elements);
  auto packed = scratch<uint32_t>(kGroupPartitions * columns), row = scratch<uint32_t>(columns);
  Sink<uint32_t> to(dst), to_scales(scales);
  read_rows(src, values.get()); // dst may lie over src
  for (int64_t group = 0; group < src.partitions / kGroupPartitions; ++group) {
    uint8_t *out[kGroupPartitions];
    for (int64_t p = 0; p < kGroupPartitions; ++p)
      out[p] = reinterpret_cast<uint8_t *>(packed.get() + p * columns);
    quantize(values.get() + group * kGroupPartitions * src.elements, src.elements, columns, out,
             row.get(), spare.get());
    to_scales.begin(scale_partition(group));
    write_row(to_scales, row.get(), columns);
    for (int64_t p = 0; p < kGroupPartitions; ++p) {
      to.begin(group * kGroupPartitions + p);
      write_row(to, packed.get() + p * columns, columns);
    }
  }
}

void dequantize_mx(float *out, const View &data, const View &scales) {
  const int64_t columns = data.elements;
  auto dequantize = kernels().dequantize_mx[int(data.type)];
  auto factors = scratch<uint32_t>(columns);
  Source<uint32_t> from(data);
  for (int64_t p = 0; p < data.partitions; ++p) {
    from.begin(p);
    if (p % kGroupPartitions == 0) {
      View row = scales;
      row.base = scales.row(scale_partition(p / kGroupPartitions));
      row.partitions = 1;
      read_rows(row, factors.get());
    }
    for (int64_t done = 0; done < columns; done += kChunk) {
      int64_t count = std::min(kChunk, columns - done);
      dequantize(out + p * kGroupElements * columns + done, columns, from.next(count),
                 factors.get() + done, count);
    }
  }
}

} // namespace nki::chip::isa

#include "lanes/print.h"
#include "lanes/ops.h"
#include "lanes/tiles.h"

#include "chip/storage.h"
#include "nki/isa.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>
#include <tuple>

namespace nki {

namespace {

thread_local std::vector<Printed> *current_sink = nullptr;

/// The 32-bit elements of a tile as device memory holds them after a transfer, lane order; zero for
/// lanes that are not in `mask`, of which nobody knows what they hold.
std::vector<uint32_t> moved_out(const Wave &wave, const Tensor &tile, const Mask &mask) {
  Tensor live = wave.tile(DType::int32);
  fill(live, 0);
  assign(live, tiles::as(tile, DType::int32), mask);
  Tensor memory = nl::ndarray({wave.lanes()}, DType::int32, nl::hbm);
  nisa::dma_copy(memory, live);
  std::vector<uint32_t> values(static_cast<size_t>(wave.lanes()));
  std::memcpy(values.data(), memory.storage()->base, values.size() * 4);
  return values;
}

/// Which lanes are in a mask, as far as there are any.
std::vector<uint8_t> live_lanes(const Wave &wave, const Mask &mask) {
  std::vector<uint8_t> live(static_cast<size_t>(wave.lanes()));
  if (mask.is_none() || (mask.is_tile() && !mask.any()))
    return {};
  if (mask.is_tile()) {
    const auto flags = moved_out(wave, mask.tile(wave), wave.all());
    std::copy(flags.begin(), flags.end(), live.begin());
    return live;
  }
  for (int64_t lane = 0; lane < wave.lanes(); ++lane)
    live[size_t(lane)] = mask.is_all() || mask.at(lane);
  return live;
}

struct Place3 {
  int64_t x, y, z;
};
Place3 block_of(const Wave &wave, int64_t lane) {
  return {wave.coordinate(Axis::block_x, lane), wave.coordinate(Axis::block_y, lane),
          wave.coordinate(Axis::block_z, lane)};
}
Place3 thread_of(const Wave &wave, int64_t lane) {
  return {wave.coordinate(Axis::thread_x, lane), wave.coordinate(Axis::thread_y, lane),
          wave.coordinate(Axis::thread_z, lane)};
}
uint64_t number_in(const Place3 &at, const Dim3 &size) {
  return uint64_t(at.x) + size.x * (uint64_t(at.y) + size.y * uint64_t(at.z));
}

/// A value of one lane.
struct Value {
  int64_t integer = 0;
  double real = 0;
  const char *text = nullptr;
};

/// A value of all lanes.
class Column {
public:
  Column(const Wave &wave, const PrintValue &value, const Mask &mask) : value_(value) {
    if (value.tile)
      low_ = moved_out(wave, value.tile, mask);
    if (value.high)
      high_ = moved_out(wave, value.high, mask);
  }

  Value at(int64_t lane) const {
    Value result = number_at(lane);
    const auto &strings = value_.strings;
    if (!strings.empty())
      result.text = strings[std::clamp<size_t>(size_t(result.integer), 0, strings.size() - 1)];
    return result;
  }

private:
  Value number_at(int64_t lane) const {
    using Kind = PrintValue::Kind;
    switch (value_.kind) {
    case Kind::integer:
    case Kind::text:
      return {value_.integer, double(value_.integer)};
    case Kind::real:
      return {int64_t(std::bit_cast<uint64_t>(value_.real)), value_.real};
    case Kind::index: {
      const int64_t number = value_.index.signed_at(lane);
      return {number, double(number)};
    }
    case Kind::tile: {
      const uint32_t bits = low_[size_t(lane)];
      if (value_.tile.dtype() == DType::float32)
        return {int64_t(bits), double(std::bit_cast<float>(bits))};
      return {int32_t(bits), double(int32_t(bits))};
    }
    case Kind::wide: {
      const uint64_t bits = uint64_t(high_[size_t(lane)]) << 32 | low_[size_t(lane)];
      return {int64_t(bits), std::bit_cast<double>(bits)};
    }
    }
    return {};
  }

  const PrintValue &value_;
  std::vector<uint32_t> low_, high_;
};

template <class T> void append(std::string &out, const std::string &specification, T value) {
  char small[128];
  const int length = std::snprintf(small, sizeof small, specification.c_str(), value);
  if (length < int(sizeof small))
    return (void)out.append(small, size_t(std::max(length, 0)));
  std::string large(size_t(length) + 1, '\0');
  std::snprintf(large.data(), large.size(), specification.c_str(), value);
  out.append(large, 0, size_t(length));
}

/// One conversion, from `%` to its letter. False where there is no such conversion.
bool convert(std::string &out, std::string specification, const Value &value) {
  const char letter = specification.back();
  const bool is_long = specification.find_first_of("lzjtL") != std::string::npos;
  const auto shortened = std::count(specification.begin(), specification.end(), 'h');
  std::erase_if(specification, [](char c) { return std::strchr("lzjtLh", c); });
  if (std::strchr("diuxXo", letter)) {
    const bool is_signed = letter == 'd' || letter == 'i';
    int64_t number = is_long ? value.integer : int64_t(int32_t(value.integer));
    if (shortened == 1)
      number = is_signed ? int64_t(int16_t(number)) : int64_t(uint16_t(number));
    else if (shortened == 2)
      number = is_signed ? int64_t(int8_t(number)) : int64_t(uint8_t(number));
    specification.insert(specification.size() - 1, "ll");
    append(out, specification, !is_signed && !is_long ? int64_t(uint32_t(number)) : number);
  } else if (std::strchr("eEfFgGaA", letter)) {
    append(out, specification, value.real);
  } else if (letter == 'c') {
    append(out, specification, int(value.integer));
  } else if (letter == 's') {
    append(out, specification, value.text ? value.text : "(null)");
  } else if (letter == 'p') {
    append(out, specification, reinterpret_cast<void *>(value.integer));
  } else {
    return false;
  }
  return true;
}

/// What one lane prints.
std::string formatted(const char *format, const std::vector<Column> &columns, int64_t lane) {
  std::string out;
  size_t next = 0;
  auto take = [&] { return next < columns.size() ? columns[next++].at(lane) : Value(); };
  while (*format) {
    if (*format != '%') {
      out += *format++;
      continue;
    }
    const char *end = format + 1 + std::strspn(format + 1, "-+ #0123456789.*hlzjtL");
    if (*end == '%' || !*end) {
      out += '%';
      format = *end ? end + 1 : end;
      continue;
    }
    std::string specification;
    for (const char *at = format; at <= end; ++at)
      specification += *at == '*' ? std::to_string(int(take().integer)) : std::string(1, *at);
    if (!convert(out, specification, take()))
      out += specification;
    format = end + 1;
  }
  return out;
}

} // namespace

PrintScope::PrintScope(std::vector<Printed> &sink) : outer_(current_sink) { current_sink = &sink; }
PrintScope::~PrintScope() { current_sink = outer_; }
std::vector<Printed> *current_print_sink() { return current_sink; }

void print(const Wave &wave, const char *format, std::initializer_list<PrintValue> values,
           const Mask &mask) {
  const std::vector<uint8_t> live = live_lanes(wave, mask);
  std::vector<Printed> *out = current_sink;
  if (live.empty())
    return;
  std::vector<Column> columns;
  columns.reserve(values.size());
  for (const PrintValue &value : values)
    columns.emplace_back(wave, value, mask);
  for (int64_t lane = 0; out && lane < wave.lanes(); ++lane)
    if (live[size_t(lane)])
      out->push_back({number_in(block_of(wave, lane), wave.launch().gridDim),
                      uint32_t(number_in(thread_of(wave, lane), wave.launch().blockDim)),
                      formatted(format, columns, lane)});
}

void assert_fail(const Wave &wave, const char *condition, const char *file, int line,
                 const char *function, const Mask &mask) {
  const std::vector<uint8_t> live = live_lanes(wave, mask);
  std::vector<std::tuple<uint64_t, uint64_t, std::string>> lines;
  for (int64_t lane = 0; lane < int64_t(live.size()); ++lane) {
    if (!live[size_t(lane)])
      continue;
    const Place3 b = block_of(wave, lane), t = thread_of(wave, lane);
    char place[200];
    std::snprintf(place, sizeof place, "block: [%ld,%ld,%ld], thread: [%ld,%ld,%ld]", b.x, b.y, b.z,
                  t.x, t.y, t.z);
    lines.emplace_back(number_in(b, wave.launch().gridDim), number_in(t, wave.launch().blockDim),
                       std::string(file) + ":" + std::to_string(line) + ": " + function + ": " +
                           place + " Assertion `" + condition + "` failed.\n");
  }
  if (lines.empty())
    return;
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const auto &[block, thread, one] : lines)
    text += one;
  text.pop_back();
  throw KernelStopped(true, std::get<0>(lines.front()), text);
}

void trap(const Wave &wave, const Mask &mask) {
  const std::vector<uint8_t> live = live_lanes(wave, mask);
  std::optional<uint64_t> first;
  for (int64_t lane = 0; lane < int64_t(live.size()); ++lane)
    if (live[size_t(lane)]) {
      const uint64_t block = number_in(block_of(wave, lane), wave.launch().gridDim);
      first = std::min(first.value_or(block), block);
    }
  if (first)
    throw KernelStopped(false, *first,
                        "a thread of block " + std::to_string(*first) + " executed a trap");
}

} // namespace nki

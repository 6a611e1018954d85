// What a buffer holds, as the parameter types of kernels tell: the unit of comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neuronify {

/// `pad` is a byte between the fields of a struct, which has no value: it is not compared.
enum class ElementType : uint8_t {
  bytes,
  pad,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f16,
  bf16,
  f32,
  f64
};

size_t size_of(ElementType type); ///< bytes; 1 for `bytes`
std::string_view name_of(ElementType type);
bool is_float(ElementType type);
std::optional<ElementType> element_type(std::string_view name);

/// The value at `element`, as a person reads it: "-3", "0.1", "nan". Floats with all their digits.
std::string print_element(ElementType type, const void *element);

/// The types of one struct or scalar; a buffer repeats it. Empty: unknown, compared as bytes.
struct Layout {
  std::vector<ElementType> elements;
  /// One per element, or none at all: what an element points to, if it is a pointer (`u64`).
  std::vector<Layout> pointees = {};
  size_t size() const;
  bool operator==(const Layout &other) const;
};

/// Where a kernel's arguments hold a pointer, and to what.
struct PointerHint {
  int parameter = 0;
  size_t offset = 0; ///< bytes inside the parameter
  Layout layout;
};

/// Reads Kernel::pointer_types. The list has one entry per parameter, separated by commas; `-`
/// stands for a parameter that is no pointer. An entry is an element type, or several separated by
/// spaces for an array of structs: "f32,-,i32" or "f32 f32 f32 i32". `2+8=f32` names the parameter
/// and the byte offset of a pointer inside a struct. `&f32` and `&(f32 i32)` are pointers in
/// memory. Entries that cannot be read are left out: the buffer is then compared as bytes, which is
/// stricter.
std::vector<PointerHint> read_pointer_types(const char *text);
/// One entry of that list: "f32 f32 i32".
Layout read_layout(std::string_view text);

} // namespace neuronify

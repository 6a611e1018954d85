// Arrays and objects of the program, as the runtime keeps them.
#pragma once

#include "host/array_types.h"
#include "host/error.h"

#include <map>
#include <memory>

namespace neuronify {

namespace types {
/// An array: `extent` in texels, as the program gave it.
struct Array {
  char *data = nullptr;
  Extent extent = {};
  ChannelFormatDesc desc = {};
  unsigned flags = 0;
};
} // namespace types

/// What a format makes of a texel.
struct TexelFormat {
  int components = 0, bits = 0; ///< of each
  size_t bytes() const { return size_t(components) * size_t(bits) / 8; }
};
/// 1, 2 or 4 components of 8, 16 or 32 bits; false for anything else.
bool read_format(const ChannelFormatDesc &desc, TexelFormat &format);

struct TextureObject {
  ResourceDesc resource;
  TextureDesc desc;
  bool is_surface = false;
};

/// Not thread safe: the runtime locks.
struct Arrays {
  std::map<const Array *, std::unique_ptr<Array>> arrays;
  std::map<unsigned long long, TextureObject> objects; ///< by handle
  void clear() {
    arrays.clear();
    objects.clear();
  }
};

} // namespace neuronify

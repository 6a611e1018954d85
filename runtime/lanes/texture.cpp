// Texture fetches: coordinates to texel numbers and weights, texels to values.
#include "lanes/texture.h"
#include "lanes/global.h"
#include "lanes/tiles.h"

#include "nki/error.h"

#include <array>

namespace nki {

const Texture &texture_of(uint64_t handle) {
  const char *address = reinterpret_cast<const char *>(handle);
  const auto target = handle ? global::find_target(address, 0) : std::nullopt;
  const auto *texture = reinterpret_cast<const Texture *>(address);
  if (!target || target->bytes + target->start < int64_t(sizeof(Texture)) ||
      texture->mark != Texture::kMark)
    throw Error("texture or surface", "the handle is one of an object that is there",
                std::to_string(handle));
  return *texture;
}

namespace {

using Address = Texture::Address;

/// The texels along one axis that a lane's coordinate asks for.
struct Texels {
  Tensor number[2];      ///< int32; the second one only with a weight
  Tensor weight;         ///< float32, of the second one; none where there is one texel
  Mask inside[2] = {};   ///< with a border: which lanes do not see it
  bool bordered = false; ///< is there a border
};

Tensor tile_of(const Wave &wave, const FloatOperand &x) {
  if (x.tile)
    return x.tile;
  Tensor tile = wave.tile(DType::float32);
  fill(tile, x.value);
  return tile;
}

/// x - floor(x), which may be 1 for tiny negative x; `floor` gets the rest.
Tensor fraction_of(const Wave &wave, const Tensor &x, Tensor &whole) {
  Tensor result = wave.tile(DType::float32);
  whole = wave.tile(DType::float32);
  floor(whole, x);
  fsub(result, x, whole);
  return result;
}

/// Replaces f by 1 - f where `whole` is odd.
void mirror(const Wave &wave, const Tensor &f, const Tensor &whole) {
  Tensor half = wave.tile(DType::float32);
  fmul(half, whole, 0.5f);
  Tensor down = wave.tile(DType::float32);
  floor(down, half);
  const Mask odd = compare(wave, FloatCompare::une, half, down);
  fsub(half, 1.0f, f);
  assign(f, half, odd);
}

/// A coordinate in texels: from 0 to the size, or a little outside.
Tensor in_texels(const Wave &wave, const Texture &texture, int axis, const FloatOperand &x) {
  const Tensor coordinate = tile_of(wave, x);
  const float size = float(texture.size[axis]);
  Tensor result = wave.tile(DType::float32);
  if (!texture.normalized) {
    nisa::tensor_copy(result, coordinate);
    return result;
  }
  const Address address = texture.address[axis];
  if (address == Address::clamp || address == Address::border) {
    fmul(result, coordinate, size);
    return result;
  }
  Tensor whole;
  Tensor fraction = fraction_of(wave, coordinate, whole);
  if (address == Address::mirror)
    mirror(wave, fraction, whole);
  fmul(result, fraction, size);
  return result;
}

/// Moves a texel number into the texture, or says which lanes see the border.
void address_texel(const Wave &wave, const Texture &texture, int axis, Texels &texels, int which) {
  const int32_t size = texture.size[axis];
  const Tensor &number = texels.number[which];
  const Address address = texture.address[axis];
  if (address == Address::wrap && texture.normalized) {
    Tensor moved = wave.tile(DType::int32);
    iadd(moved, number, size);
    assign(number, moved, slt(wave, number, 0));
    iadd(moved, number, -size);
    assign(number, moved, sle(wave, size, number));
  } else if (address == Address::border) {
    texels.bordered = true;
    texels.inside[which] = andnot(slt(wave, number, size), slt(wave, number, 0));
  }
  smax(number, number, 0);
  smin(number, number, size - 1);
}

Texels texels_of(const Wave &wave, const Texture &texture, int axis, const FloatOperand &x) {
  Tensor u = in_texels(wave, texture, axis, x);
  if (texture.linear)
    fsub(u, u, 0.5f);
  // Far away is as good as near; NaN counts as far below.
  fmax(u, u, -2.0f);
  fmin(u, u, float(texture.size[axis]) + 1.0f);
  Tensor whole = wave.tile(DType::float32);
  floor(whole, u);
  Texels result;
  result.number[0] = wave.tile(DType::int32);
  float_to_int(result.number[0], whole);
  if (texture.linear) {
    result.number[1] = wave.tile(DType::int32);
    iadd(result.number[1], result.number[0], 1);
    // Eight bits of fraction.
    fsub(u, u, whole);
    fmul(u, u, 256.0f);
    fadd(u, u, 0.5f);
    floor(whole, u);
    fmul(whole, whole, 1.0f / 256.0f);
    result.weight = whole;
  }
  for (int which = 0; which < (texture.linear ? 2 : 1); ++which)
    address_texel(wave, texture, axis, result, which);
  return result;
}

/// A layer is a texel without filter or border.
Texels layer_of(const Wave &wave, const Texture &texture, const IntOperand &layer) {
  Texels result;
  result.number[0] = wave.tile(DType::int32);
  if (layer.tile)
    smax(result.number[0], layer, 0);
  else
    fill(result.number[0], layer.value < 0 ? 0 : layer.value);
  smin(result.number[0], result.number[0], texture.size[2] - 1);
  return result;
}

/// Components as they lie in memory become what the fetch returns.
void convert(const Tensor &dst, const Tensor &raw, const Texture &texture) {
  const bool is_float = dst.dtype() == DType::float32;
  if (texture.bits == 32)
    return (void)nisa::tensor_copy(tiles::as(dst, DType::int32), raw);
  if (texture.kind == Texture::Kind::floating) {
    if (is_float)
      return half_to_float(dst, raw);
    return zext(dst, raw, 16);
  }
  const bool is_signed = texture.kind == Texture::Kind::signed_integer;
  Tensor number = is_float ? tiles::like(dst, DType::int32) : dst;
  is_signed ? sext(number, raw, texture.bits) : zext(number, raw, texture.bits);
  if (!is_float)
    return;
  int_to_float(dst, number);
  if (!texture.to_float)
    return;
  fmul(dst, dst, 1.0f / float((1 << (texture.bits - is_signed)) - 1));
  if (is_signed) // the most negative number, too, is -1
    fmax(dst, dst, -1.0f);
}

/// The component at element number `element` (int32 tile) for the lanes of `mask`.
void load_component(const Tensor &dst, const Texture &texture, const Place &place,
                    const Mask &mask) {
  Tensor raw = texture.bits == 32 ? tiles::as(dst, DType::int32) : tiles::like(dst, DType::int32);
  load(raw, place, texture.bits / 8, mask);
  if (texture.bits != 32)
    convert(dst, raw, texture);
}

/// A fetch with the texels along each axis known.
class Fetch {
public:
  Fetch(const Wave &wave, const Texture &texture, int component, const Mask &mask)
      : wave_(wave), texture_(texture), component_(component), mask_(mask) {}

  void add(int axis, Texels texels) { axes_[size_t(axis)] = std::move(texels); }

  void run(const Tensor &dst) const {
    int count = 0;
    for (const Texels &axis : axes_)
      count += bool(axis.weight);
    if (count == 0)
      return texel(dst, {0, 0, 0});
    Tensor value = wave_.tile(DType::float32);
    bool first = true;
    for (int z = 0; z < (axes_[2].weight ? 2 : 1); ++z)
      for (int y = 0; y < (axes_[1].weight ? 2 : 1); ++y)
        for (int x = 0; x < 2; ++x) {
          const std::array<int, 3> which{x, y, z};
          texel(first ? dst : value, which);
          fmul(first ? dst : value, first ? dst : value, weight(which));
          if (!first)
            fadd(dst, dst, value);
          first = false;
        }
  }

private:
  /// The product of the weights along the axes: exact, it has 24 bits at most.
  Tensor weight(const std::array<int, 3> &which) const {
    Tensor product;
    for (int axis = 0; axis < 3; ++axis) {
      const Texels &texels = axes_[size_t(axis)];
      if (!texels.weight)
        continue;
      Tensor one = texels.weight;
      if (!which[size_t(axis)]) {
        one = wave_.tile(DType::float32);
        fsub(one, 1.0f, texels.weight);
      }
      if (!product) {
        product = one;
        continue;
      }
      Tensor both = wave_.tile(DType::float32);
      fmul(both, product, one);
      product = both;
    }
    return product;
  }

  /// Rows and slices are stepped in components, so that all terms add up to an element number.
  Tensor element(const std::array<int, 3> &which) const {
    const int64_t bytes = texture_.bits / 8;
    const int32_t steps[] = {texture_.components, int32_t(texture_.row_bytes / bytes),
                             int32_t(texture_.slice_bytes / bytes)};
    Tensor sum;
    for (int axis = 0; axis < 3; ++axis) {
      const Tensor &number = axes_[size_t(axis)].number[which[size_t(axis)]];
      if (!number)
        continue;
      Tensor term = wave_.tile(DType::int32);
      imul(term, number, steps[axis]);
      if (sum)
        iadd(term, term, sum);
      sum = term;
    }
    return sum;
  }

  void texel(const Tensor &dst, const std::array<int, 3> &which) const {
    if (component_ >= texture_.components)
      return fill(tiles::as(dst, DType::int32), 0);
    Mask inside = wave_.all();
    bool bordered = false;
    for (int axis = 0; axis < 3; ++axis)
      if (axes_[size_t(axis)].bordered) {
        inside &= axes_[size_t(axis)].inside[which[size_t(axis)]];
        bordered = true;
      }
    const Place place = at(hbm<char>{texture_.data}).plus(element(which), texture_.bits / 8);
    load_component(dst, texture_, place + Index(int64_t(component_) * texture_.bits / 8), mask_);
    if (!bordered)
      return;
    const float border = texture_.border[component_];
    if (dst.dtype() == DType::float32)
      assign(dst, border, !inside);
    else
      assign(dst, int32_t(border), !inside);
  }

  const Wave &wave_;
  const Texture &texture_;
  int component_;
  const Mask &mask_;
  std::array<Texels, 3> axes_;
};

} // namespace

void texture_element(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                     const Index &x, const Mask &mask) {
  const Texture &texture = texture_of(handle);
  const Index number = wide(x);
  const Mask inside = sle(Index(int64_t(0)), number) & slt(number, Index(int64_t(texture.size[0])));
  const Mask seen = component < texture.components ? mask & inside : Mask(wave, false);
  const int64_t bytes = texture.bits / 8;
  const Place place = at(hbm<char>{texture.data}).at(number, texture.components * bytes) +
                      Index(int64_t(component) * bytes);
  load_component(dst, texture, place, seen);
  assign(tiles::as(dst, DType::int32), 0, andnot(mask, seen));
}

void texture_element(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                     const Tensor &x, const Mask &mask) {
  const Texture &texture = texture_of(handle);
  const Mask inside = andnot(slt(wave, x, texture.size[0]), slt(wave, x, 0));
  const Mask seen = component < texture.components ? mask & inside : Mask(wave, false);
  Tensor number = wave.tile(DType::int32);
  imul(number, x, texture.components);
  const int64_t bytes = texture.bits / 8;
  const Place place =
      at(hbm<char>{texture.data}).plus(number, bytes) + Index(int64_t(component) * bytes);
  load_component(dst, texture, place, seen);
  assign(tiles::as(dst, DType::int32), 0, andnot(mask, seen));
}

void texture_1d(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                const FloatOperand &x, const Mask &mask) {
  const Texture &texture = texture_of(handle);
  Fetch fetch(wave, texture, component, mask);
  fetch.add(0, texels_of(wave, texture, 0, x));
  fetch.run(dst);
}

void texture_2d(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                const FloatOperand &x, const FloatOperand &y, const Mask &mask) {
  const Texture &texture = texture_of(handle);
  Fetch fetch(wave, texture, component, mask);
  fetch.add(0, texels_of(wave, texture, 0, x));
  fetch.add(1, texels_of(wave, texture, 1, y));
  fetch.run(dst);
}

void texture_3d(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                const FloatOperand &x, const FloatOperand &y, const FloatOperand &z,
                const Mask &mask) {
  const Texture &texture = texture_of(handle);
  Fetch fetch(wave, texture, component, mask);
  fetch.add(0, texels_of(wave, texture, 0, x));
  fetch.add(1, texels_of(wave, texture, 1, y));
  fetch.add(2, texels_of(wave, texture, 2, z));
  fetch.run(dst);
}

void texture_1d_layered(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                        const FloatOperand &x, const IntOperand &layer, const Mask &mask) {
  const Texture &texture = texture_of(handle);
  Fetch fetch(wave, texture, component, mask);
  fetch.add(0, texels_of(wave, texture, 0, x));
  fetch.add(2, layer_of(wave, texture, layer));
  fetch.run(dst);
}

void texture_2d_layered(const Wave &wave, const Tensor &dst, uint64_t handle, int component,
                        const FloatOperand &x, const FloatOperand &y, const IntOperand &layer,
                        const Mask &mask) {
  const Texture &texture = texture_of(handle);
  Fetch fetch(wave, texture, component, mask);
  fetch.add(0, texels_of(wave, texture, 0, x));
  fetch.add(1, texels_of(wave, texture, 1, y));
  fetch.add(2, layer_of(wave, texture, layer));
  fetch.run(dst);
}

} // namespace nki

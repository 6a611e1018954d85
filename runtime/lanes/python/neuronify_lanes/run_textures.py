"""Textures and surfaces as arguments of ported kernels. Host code: ordinary Python."""

import struct

import numpy as np

_ADDRESS = {"wrap": 0, "clamp": 1, "mirror": 2, "border": 3}
_KINDS = {"i": 0, "u": 1, "f": 2}
_NONE = [0] * 18


class Texture:
    """A texture or surface over a NumPy array, as cudaTextureDesc describes it.

    texels: contiguous, {x}, {y, x} or {z, y, x}, with another axis of 2 or 4 for the components of a
    texel where `components` is not 1. Kernels write surfaces in place.
    linear: the filter. normalized: coordinates run from 0 to 1. to_float: integers are read as
    numbers of [0, 1] or [-1, 1]. address: "wrap", "clamp", "mirror" or "border", or three of them.

    >>> smooth(image=run.Texture(pixels, linear=True, address="wrap", normalized=True), ...)
    """

    def __init__(
        self,
        texels,
        components=1,
        linear=False,
        normalized=False,
        to_float=False,
        address="clamp",
        border=(0.0, 0.0, 0.0, 0.0),
    ):
        if not isinstance(texels, np.ndarray) or not texels.flags.c_contiguous:
            raise TypeError("texels are a contiguous NumPy array")
        bits = 8 * texels.dtype.itemsize
        kind = _KINDS.get(texels.dtype.kind)
        if kind is None or bits not in (8, 16, 32):
            raise TypeError(f"no texture has texels of {texels.dtype}")
        shape = texels.shape
        if components != 1:
            if components not in (2, 4) or shape[-1] != components:
                raise ValueError(
                    f"the last axis has the {components} components of a texel"
                )
            shape = shape[:-1]
        if not 1 <= len(shape) <= 3 or texels.size == 0:
            raise ValueError(f"a texture has one to three axes, not {shape}")
        if linear and kind != 2 and not to_float:
            raise ValueError("a linear filter is over floats")
        size = tuple(reversed(shape)) + (1,) * (3 - len(shape))
        row = size[0] * components * bits // 8
        address = (address,) * 3 if isinstance(address, str) else tuple(address)
        is_mapped = bool(to_float) and kind != 2 and bits < 32
        self.memory = texels.reshape(-1).view(np.uint8)
        self.modes = [row, row * size[1], *size, components, bits, kind]
        self.modes += [_ADDRESS[axis] for axis in address]
        self.modes += [int(bool(linear)), int(bool(normalized)), int(is_mapped)]
        self.modes += [int(word) for word in np.array(border, np.float32).view("u4")]


def from_description(memory, raw):
    """The texture that a description of the C++ runtime's tells (runtime/lanes/texture.h)."""
    result = Texture.__new__(Texture)
    fields = struct.unpack_from("<QQqq3iiii3iiii4I", raw)
    result.modes = list(fields[2:])
    component = result.modes[6] // 8
    result.memory = memory[: len(memory) // component * component]
    return result


def arguments_of(name, value):
    """The two arguments that a kernel takes for a texture."""
    if value is None:
        return [None, _NONE]
    if isinstance(value, np.ndarray):
        value = Texture(value)
    if not isinstance(value, Texture):
        raise TypeError(f"{name} is a run.Texture, an array (nearest texel), or None")
    return [value.memory, value.modes]

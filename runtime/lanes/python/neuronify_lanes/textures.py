"""Texture fetches: coordinates to texel numbers and weights, texels to values.

The modes of a texture (size, filter, what lies outside) are known when the kernel is traced, so only
the instructions that they ask for are issued.
"""

import nki.isa as nisa
import nki.language as nl
from nki.language import NKIObject

from . import floats, index
from .comparisons import compare, compare_integers
from .conversions import float_to_int, floor, int_to_float
from .floats import fadd, fmax, fmin, fmul, fsub
from .halves import half_to_float
from .host_numbers import divide_numbers, float_of_bits
from .integer_bits import sext, zext
from .integers import iadd, imul, smax, smin
from .masks import andnot, both, compare as compare_known, invert
from .memory import load
from .places import element
from .tiles import bits, is_number, like
from .values import assign, fill

WRAP = 0
CLAMP = 1
MIRROR = 2
BORDER = 3
SIGNED = 0
FLOATING = 2


class Texture(NKIObject):
    """A texture or surface: texels in `memory`, a list of bytes.

    size: texels along x, rows, slices or layers. A texel has `components` of `bits` bits; `kind` is
    SIGNED, 1 for unsigned integers, or FLOATING. `address` is what lies outside, per axis.
    """

    def __init__(self, memory, modes):
        self.memory = memory
        self.row_bytes = modes[0]
        self.slice_bytes = modes[1]
        self.size = [modes[2], modes[3], modes[4]]
        self.components = modes[5]
        self.bits = modes[6]
        self.kind = modes[7]
        self.address = [modes[8], modes[9], modes[10]]
        self.linear = modes[11] != 0
        self.normalized = modes[12] != 0
        self.to_float = modes[13] != 0
        self.border = [modes[14], modes[15], modes[16], modes[17]]


def texture(memory, modes):
    """A texture argument: its memory, None where there is none, and the numbers that describe it,
    borders by their bits."""
    return Texture(memory, modes)


class Texels(NKIObject):
    """What a lane's coordinate asks for along one axis.

    numbers: one int32 tile, or two with `weight`, a float32 tile, of the second one. inside: with a
    border, the lanes that do not see it, else an empty list.
    """

    def __init__(self, numbers, weight, inside):
        self.numbers = numbers
        self.weight = weight
        self.inside = inside


def check(texture):
    """Is it a texture at all?"""
    assert texture.memory != None, "the handle is one of an object that is there"  # noqa: E711


def _float(w):
    return nl.ndarray((w.P, w.F), dtype=nl.float32, buffer=nl.sbuf)


def _int(w):
    return nl.ndarray((w.P, w.F), dtype=nl.int32, buffer=nl.sbuf)


def _mirror(w, fraction, whole):
    """Replaces f by 1 - f where `whole` is odd."""
    half = _float(w)
    down = _float(w)
    fmul(half, whole, 0.5)
    floor(down, half)
    odd = compare(w, "une", half, down)
    fsub(half, 1.0, fraction)
    assign(fraction, half, odd)


def _in_texels(w, texture, axis, x):
    """A coordinate in texels: from 0 to the size, or a little outside."""
    result = _float(w)
    coordinate = floats.own_tile(x, result)
    if not texture.normalized:
        nisa.tensor_copy(dst=result, src=coordinate)
        return result
    size = 1.0 * texture.size[axis]
    address = texture.address[axis]
    if address == CLAMP or address == BORDER:
        fmul(result, coordinate, size)
        return result
    whole = _float(w)
    floor(whole, coordinate)
    fsub(result, coordinate, whole)
    if address == MIRROR:
        _mirror(w, result, whole)
    fmul(result, result, size)
    return result


def _address(w, texture, axis, number):
    """Moves a texel number into the texture. The lanes that do not see the border."""
    size = texture.size[axis]
    address = texture.address[axis]
    inside = True
    if address == WRAP and texture.normalized:
        moved = _int(w)
        iadd(moved, number, size)
        assign(number, moved, compare_integers(w, "slt", number, 0))
        iadd(moved, number, -size)
        assign(number, moved, compare_integers(w, "sle", size, number))
    elif address == BORDER:
        inside = andnot(
            compare_integers(w, "slt", number, size),
            compare_integers(w, "slt", number, 0),
        )
    smax(number, number, 0)
    smin(number, number, size - 1)
    return inside


def _texels_of(w, texture, axis, x):
    u = _in_texels(w, texture, axis, x)
    if texture.linear:
        fsub(u, u, 0.5)
    # Far away is as good as near; NaN counts as far below.
    fmax(u, u, -2.0)
    fmin(u, u, texture.size[axis] + 1.0)
    whole = _float(w)
    floor(whole, u)
    first = _int(w)
    float_to_int(first, whole)
    numbers = [first]
    weight = None
    if texture.linear:
        second = _int(w)
        iadd(second, first, 1)
        numbers.append(second)
        # Eight bits of fraction.
        fsub(u, u, whole)
        fmul(u, u, 256.0)
        fadd(u, u, 0.5)
        floor(whole, u)
        fmul(whole, whole, 1.0 / 256.0)
        weight = whole
    inside = []
    for number in numbers:
        lanes = _address(w, texture, axis, number)
        if texture.address[axis] == BORDER:
            inside.append(lanes)
    return Texels(numbers, weight, inside)


def _layer_of(w, texture, layer):
    """A layer is a texel without filter or border."""
    number = _int(w)
    if is_number(layer):
        nisa.memset(dst=number, value=max(layer, 0))
    else:
        smax(number, layer, 0)
    smin(number, number, texture.size[2] - 1)
    return Texels([number], None, [])


def _convert(dst, raw, texture):
    """Components as they lie in memory become what the fetch returns."""
    is_float = dst.dtype == nl.float32
    if texture.kind == FLOATING:
        if is_float:
            half_to_float(dst, raw)
        else:
            zext(dst, raw, 16)
        return
    is_signed = texture.kind == SIGNED
    number = like(dst, nl.int32) if is_float else dst
    if is_signed:
        sext(number, raw, texture.bits)
    else:
        zext(number, raw, texture.bits)
    if not is_float:
        return
    int_to_float(dst, number)
    if not texture.to_float:
        return
    most = (1 << (texture.bits - 1 if is_signed else texture.bits)) - 1
    fmul(dst, dst, divide_numbers(1.0, 1.0 * most))
    if is_signed:  # the most negative number, too, is -1
        fmax(dst, dst, -1.0)


def _load_component(dst, texture, place, mask):
    if texture.bits == 32:
        load(bits(dst, nl.int32), place, 4, mask)
        return
    raw = like(dst, nl.int32)
    load(raw, place, texture.bits // 8, mask)
    _convert(dst, raw, texture)


def _weight(w, axes, which):
    """The product of the weights along the axes: exact, it has 24 bits at most."""
    product = None
    for axis in range(3):
        if axes[axis] == None or axes[axis].weight == None:  # noqa: E711
            continue
        one = axes[axis].weight
        if which[axis] == 0:
            rest = _float(w)
            fsub(rest, 1.0, one)
            one = rest
        if product == None:  # noqa: E711
            product = one
        else:
            result = _float(w)
            fmul(result, product, one)
            product = result
    return product


def _element(w, texture, axes, which):
    """The number of the texel's first component. Rows and slices are stepped in components."""
    size = texture.bits // 8
    steps = [
        texture.components,
        texture.row_bytes // size,
        texture.slice_bytes // size,
    ]
    total = None
    for axis in range(3):
        if axes[axis] == None:  # noqa: E711
            continue
        term = _int(w)
        imul(term, axes[axis].numbers[which[axis]], steps[axis])
        if total != None:  # noqa: E711
            iadd(term, term, total)
        total = term
    return total


def _texel(w, dst, texture, component, axes, which, mask):
    size = texture.bits // 8
    if component >= texture.components:
        fill(bits(dst, nl.int32), 0)
        return
    first = element(texture.memory, _element(w, texture, axes, which), size)
    _load_component(dst, texture, element(first, component, size), mask)
    inside = True
    for axis in range(3):
        if axes[axis] != None and len(axes[axis].inside) > 0:  # noqa: E711
            inside = both(inside, axes[axis].inside[which[axis]])
    if isinstance(inside, bool):
        return
    border = float_of_bits(texture.border[component])
    assign(dst, border if dst.dtype == nl.float32 else int(border), invert(inside))


def _fetch(w, dst, texture, component, axes, mask):
    counts = []
    filtered = False
    for axis in range(3):
        weighted = axes[axis] != None and axes[axis].weight != None  # noqa: E711
        counts.append(2 if weighted else 1)
        filtered = filtered or weighted
    if not filtered:
        _texel(w, dst, texture, component, axes, [0, 0, 0], mask)
        return
    for z in range(counts[2]):
        for y in range(counts[1]):
            for x in range(counts[0]):
                is_first = x + y + z == 0
                value = dst if is_first else _float(w)
                which = [x, y, z]
                _texel(w, value, texture, component, axes, which, mask)
                fmul(value, value, _weight(w, axes, which))
                if not is_first:
                    fadd(dst, dst, value)


def texture_element(w, dst, texture, component, x, mask):
    """Texel x of linear memory, without filter; zero outside."""
    check(texture)
    size = texture.bits // 8
    if is_number(x) or isinstance(x, index.Index):
        lanes = both(
            compare_known("sle", 0, x, 64),
            compare_known("slt", x, texture.size[0], 64),
        )
        place = element(texture.memory, x, texture.components * size)
    else:
        lanes = andnot(
            compare_integers(w, "slt", x, texture.size[0]),
            compare_integers(w, "slt", x, 0),
        )
        number = _int(w)
        imul(number, x, texture.components)
        place = element(texture.memory, number, size)
    seen = both(mask, lanes) if component < texture.components else False
    _load_component(dst, texture, element(place, component, size), seen)
    assign(bits(dst, nl.int32), 0, andnot(mask, seen))


def texture_1d(w, dst, texture, component, x, mask):
    """dst = component `component` of the texel at x, for the lanes of `mask`; float32, or int32 for
    integers. Coordinates are numbers, data scalars or float32 tiles."""
    check(texture)
    axes = [_texels_of(w, texture, 0, x), None, None]
    _fetch(w, dst, texture, component, axes, mask)


def texture_2d(w, dst, texture, component, x, y, mask):
    check(texture)
    axes = [_texels_of(w, texture, 0, x), _texels_of(w, texture, 1, y), None]
    _fetch(w, dst, texture, component, axes, mask)


def texture_3d(w, dst, texture, component, x, y, z, mask):
    check(texture)
    axes = []
    for axis, coordinate in enumerate([x, y, z]):
        axes.append(_texels_of(w, texture, axis, coordinate))
    _fetch(w, dst, texture, component, axes, mask)


def texture_1d_layered(w, dst, texture, component, x, layer, mask):
    check(texture)
    axes = [_texels_of(w, texture, 0, x), None, _layer_of(w, texture, layer)]
    _fetch(w, dst, texture, component, axes, mask)


def texture_2d_layered(w, dst, texture, component, x, y, layer, mask):
    check(texture)
    axes = [
        _texels_of(w, texture, 0, x),
        _texels_of(w, texture, 1, y),
        _layer_of(w, texture, layer),
    ]
    _fetch(w, dst, texture, component, axes, mask)

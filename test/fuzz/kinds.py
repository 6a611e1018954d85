"""The types of random kernels: their names, their limits, and conversions that are always defined.

Doubles are computed in single precision by a port, so every double here is the value of a float: what
is loaded or computed is rounded to one (`(double)(float)(a * b)`), which original and port do alike.
"""

I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, F16, BF16, BOOL = (
    "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "f16", "bf16", "bool")
NAMES = {I8: "signed char", U8: "unsigned char", I16: "short", U16: "unsigned short",
         I32: "int", U32: "unsigned", I64: "long long", U64: "unsigned long long",
         F32: "float", F64: "double", F16: "__half", BF16: "__nv_bfloat16", BOOL: "bool"}
BITS = {I8: 8, U8: 8, I16: 16, U16: 16, I32: 32, U32: 32, I64: 64, U64: 64, BOOL: 1}
UNSIGNED = {I32: U32, I64: U64, U32: U32, U64: U64}
HALVES = (F16, BF16)
FLOATS = (F32, F64, F16, BF16)

_FROM_HALF = {F16: "__half2float", BF16: "__bfloat162float"}
_TO_HALF = {(F32, F16): "__float2half", (F32, BF16): "__float2bfloat16",
            (I32, F16): "__int2half_rn", (U32, F16): "__uint2half_rn",
            (I32, BF16): "__int2bfloat16_rn", (U32, BF16): "__uint2bfloat16_rn"}


def limits(kind):
    """The values of a type; floats have none that matter here."""
    if kind in FLOATS:
        return None
    if kind == BOOL:
        return (0, 1)
    bits = BITS[kind]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)


def fits(interval, kind):
    low, high = limits(kind)
    return low <= interval[0] and interval[1] <= high


def literal(value, kind):
    """A number as text."""
    if kind in FLOATS:
        text = f"{value!r}f" if value >= 0 else f"({value!r}f)"
        return {F32: text, F64: f"(double){text}", F16: f"__float2half({text})",
                BF16: f"__float2bfloat16({text})"}[kind]
    if kind == BOOL:
        return "true" if value else "false"
    suffix = {U32: "u", I64: "ll", U64: "ull"}.get(kind, "")
    low = limits(kind)[0]
    if value == low and low < 0 and BITS[kind] >= 32:
        return f"({value + 1}{suffix} - 1)"
    return f"{value}{suffix}" if value >= 0 else f"({value}{suffix})"


def conversion(text, source, kind):
    """An expression of type `source` as one of type `kind`, defined for every value."""
    if source == kind:
        return text
    if source in HALVES:
        return conversion(f"{_FROM_HALF[source]}({text})", F32, kind)
    if kind == BOOL:
        return f"({text} != 0)"
    if kind in HALVES:
        if source not in (F32, I32, U32):
            text, source = conversion(text, source, F32), F32
        return f"{_TO_HALF[source, kind]}({text})"
    if kind == F64 and source != F32:
        return f"(double)(float)({text})"
    if source in FLOATS and kind not in FLOATS:
        signed = {I32: "", I64: "", U64: "(long long)"}.get(kind, "(int)")
        return f"({NAMES[kind]}){signed}clamped({text})"
    return f"({NAMES[kind]})({text})"

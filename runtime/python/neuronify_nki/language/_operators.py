"""Element-wise functions of tiles. Each is also the operator that instructions take as `op`."""

from .. import _chip
from .. import isa as nisa
from ._tiles import ndarray

_Tensor = _chip.NkiTensor
_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}

#: Name -> function, for all functions that instructions take as `op`.
OPERATORS = {}


def _is_tile(x):
    return isinstance(x, _Tensor)


def _spread(x, shape):
    """A view of x with `shape`: free dimensions of size 1 are repeated."""
    for dim, (have, want) in enumerate(zip(x.shape, shape)):
        if have != want:
            x = x.broadcast(dim, want)
    return x


def _result_shape(x, y):
    return tuple(max_of(a, b) for a, b in zip(x.shape, y.shape))


max_of = max


def _binary(op, x, y, dtype):
    if _is_tile(x) and _is_tile(y):
        shape = _result_shape(x, y)
        out = ndarray(shape, dtype or x.dtype)
        nisa.tensor_tensor(out, _spread(x, shape), _spread(y, shape), op)
    elif _is_tile(x):
        out = ndarray(x.shape, dtype or x.dtype)
        nisa.tensor_scalar(out, x, op, y)
    elif _is_tile(y):
        out = ndarray(y.shape, dtype or y.dtype)
        nisa.tensor_scalar(out, y, op, x, reverse0=True)
    else:
        raise TypeError(f"nl.{op.__name__} needs a tile, not {x!r} and {y!r}")
    return out


def _unary(op, x, dtype):
    out = ndarray(x.shape, dtype or x.dtype)
    nisa.activation(out, op, x)
    return out


def _operator(function):
    OPERATORS[function.__name__] = function
    if not _chip.register_op(function.__name__, function):
        raise NameError(f"the model has no operator {function.__name__}")
    return function


def _make_binary(name, text):
    def function(x, y, dtype=None):
        return _binary(function, x, y, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    function.__module__ = "neuronify_nki.language"
    return _operator(function)


def _make_unary(name, text):
    def function(x, dtype=None):
        return _unary(function, x, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    function.__module__ = "neuronify_nki.language"
    return _operator(function)


for _name, _text in {
    "add": "x + y", "subtract": "x - y", "multiply": "x * y",
    "maximum": "The larger of x and y.", "minimum": "The smaller of x and y.",
    "abs_max": "The one of x and y with the larger magnitude.",
    "abs_min": "The one of x and y with the smaller magnitude.",
    "power": "x to the power of y.",
    "equal": "x == y", "not_equal": "x != y", "less": "x < y", "less_equal": "x <= y",
    "greater": "x > y", "greater_equal": "x >= y",
    "bitwise_and": "Bits that are set in x and in y.", "bitwise_or": "Bits that are set in x or in y.",
    "bitwise_xor": "Bits that differ between x and y.",
    "left_shift": "The bits of x shifted left by y.", "right_shift": "The bits of x shifted right by y.",
    "logical_and": "Whether x and y are not zero.", "logical_or": "Whether x or y is not zero.",
    "logical_xor": "Whether one of x and y is not zero.",
}.items():
    globals()[_name] = _make_binary(_name, _text)

for _name, _text in {
    "exp": "e to the power of x.", "log": "Natural logarithm.", "sqrt": "Square root.",
    "tanh": "Hyperbolic tangent.", "sigmoid": "1 / (1 + e^-x)", "relu": "x where it is positive, else 0.",
    "gelu": "Gaussian error linear unit.", "gelu_apprx_sigmoid": "gelu, by the sigmoid.",
    "gelu_apprx_tanh": "gelu, by tanh.", "gelu_dx": "Derivative of gelu.",
    "gelu_apprx_sigmoid_dx": "Derivative of gelu_apprx_sigmoid.", "silu": "x * sigmoid(x)",
    "silu_dx": "Derivative of silu.", "softplus": "log(1 + e^x)", "mish": "x * tanh(softplus(x))",
    "erf": "Error function.", "erf_dx": "Derivative of erf.", "sin": "Sine, of x in [-pi, pi].",
    "arctan": "Inverse tangent.", "sign": "-1, 0 or 1.", "square": "x * x", "abs": "Magnitude.",
}.items():
    globals()[_name] = _make_unary(_name, _text)


@_operator
def rsqrt(x, dtype=None):
    """1 / sqrt(x), on GpSimdE."""
    out = ndarray(x.shape, dtype or x.dtype)
    nisa.tensor_scalar(out, x, rsqrt, 0.0, engine=nisa.engine.gpsimd)
    return out


@_operator
def reciprocal(x, dtype=None):
    """1 / x, on VectorE."""
    out = ndarray(x.shape, dtype or x.dtype)
    nisa.reciprocal(out, x)
    return out


@_operator
def copy(x, dtype=None):
    """A copy in SBUF."""
    out = ndarray(x.shape, dtype or x.dtype)
    nisa.tensor_copy(out, x)
    return out


@_operator
def invert(x, dtype=None):
    """All bits flipped."""
    out = ndarray(x.shape, dtype or x.dtype)
    nisa.tensor_scalar(out, x, invert, None)
    return out


class _OnlyOperator:
    """An operator that is no function."""

    def __init__(self, name):
        self.__name__ = name
        _operator(self)

    def __repr__(self):
        return f"nl.{self.__name__}"


average = _OnlyOperator("average")
prelu = _OnlyOperator("prelu")
bypass = _OnlyOperator("bypass")

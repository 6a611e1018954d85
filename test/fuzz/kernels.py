"""Random CUDA kernels that are well defined: a tree, how it grows, and how it is written.

Safety belongs to the nodes, not to the generator: a node decides how to write itself from what
its operands are now (may this sum overflow? may this divisor be zero?). So a reducer may cut and
replace parts freely, and what is left is well defined still.
"""

import dataclasses
import random
from dataclasses import dataclass, field

I8, U8, I16, U16, I32, U32, I64, U64, F32, BOOL = (
    "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "bool")
NAMES = {I8: "signed char", U8: "unsigned char", I16: "short", U16: "unsigned short",
         I32: "int", U32: "unsigned", I64: "long long", U64: "unsigned long long",
         F32: "float", BOOL: "bool"}
BITS = {I8: 8, U8: 8, I16: 16, U16: 16, I32: 32, U32: 32, I64: 64, U64: 64, BOOL: 1}
UNSIGNED = {I32: U32, I64: U64, U32: U32, U64: U64}


def limits(kind):
    """The values of a type; floats have none that matter here."""
    if kind == F32:
        return None
    if kind == BOOL:
        return (0, 1)
    bits = BITS[kind]
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)


def fits(interval, kind):
    low, high = limits(kind)
    return low <= interval[0] and interval[1] <= high


# ---- the tree ------------------------------------------------------------------------------------


@dataclass
class Expr:
    kind: str
    operands: list = field(default_factory=list)

    def interval(self):
        return limits(self.kind)

    def children(self):
        return self.operands

    def text(self):
        raise NotImplementedError


@dataclass
class Literal(Expr):
    value: object = 0

    def interval(self):
        return None if self.kind == F32 else (self.value, self.value)

    def text(self):
        if self.kind == F32:
            return f"{self.value!r}f" if self.value >= 0 else f"({self.value!r}f)"
        if self.kind == BOOL:
            return "true" if self.value else "false"
        suffix = {U32: "u", I64: "ll", U64: "ull"}.get(self.kind, "")
        low = limits(self.kind)[0]
        if self.value == low and low < 0 and BITS[self.kind] >= 32:
            return f"({self.value + 1}{suffix} - 1)"
        return f"{self.value}{suffix}" if self.value >= 0 else f"({self.value}{suffix})"


@dataclass
class Name(Expr):
    name: str = ""
    bounds: tuple = None  # of a variable that never changes and is small

    def interval(self):
        return self.bounds or limits(self.kind)

    def text(self):
        return self.name


def converted(expr, kind):
    """`expr` as a value of type `kind`, defined for every value."""
    text = expr.text()
    if expr.kind == kind:
        return text
    if kind == BOOL:
        return f"({text} != 0)"
    if expr.kind == F32:
        signed = {I32: "", I64: "", U64: "(long long)"}.get(kind, "(int)")
        return f"({NAMES[kind]}){signed}clamped({text})"
    return f"({NAMES[kind]})({text})"


@dataclass
class Cast(Expr):
    def text(self):
        return converted(self.operands[0], self.kind)


@dataclass
class Binary(Expr):
    op: str = "+"

    def interval(self):
        if self.kind == F32:
            return None
        a, b = (self._operand_interval(x) for x in self.operands)
        if self.op in "+-*":
            corners = {"+": [a[0] + b[0], a[1] + b[1]], "-": [a[0] - b[1], a[1] - b[0]],
                       "*": [x * y for x in a for y in b]}[self.op]
            exact = (min(corners), max(corners))
            return exact if fits(exact, self.kind) else limits(self.kind)
        if self.op == "&" and (a[0] >= 0 or b[0] >= 0):
            return (0, min(x[1] for x in (a, b) if x[0] >= 0))
        if self.op == "%" and b[0] > 0:
            top = b[1] - 1
            return (0 if a[0] >= 0 else -top, top)
        return limits(self.kind)

    def _operand_interval(self, operand):
        own = operand.interval()
        return own if own and operand.kind != F32 and fits(own, self.kind) else limits(self.kind)

    def text(self):
        a, b = (converted(x, self.kind) for x in self.operands)
        if self.kind == F32:
            if self.op == "/":
                return f"({a} / {b})"
            return f"({a} {self.op} {b})"
        ia, ib = (self._operand_interval(x) for x in self.operands)
        if self.op in ("<<", ">>"):
            amount = f"({b} & {BITS[self.kind] - 1})"
            if self.op == "<<" and self.kind in (I32, I64):
                return f"({NAMES[self.kind]})(({NAMES[UNSIGNED[self.kind]]}){a} << {amount})"
            return f"({a} >> {amount})"
        if self.op in "/%":
            word = "quotient" if self.op == "/" else "remainder"
            if ib[0] > 0 or (self.kind in (U32, U64) and ib[0] > 0):
                return f"({a} {self.op} {b})"
            return f"{word}({a}, {b})"
        if self.op in "+-*" and self.kind in (I32, I64):
            corners = {"+": [ia[0] + ib[0], ia[1] + ib[1]], "-": [ia[0] - ib[1], ia[1] - ib[0]],
                       "*": [x * y for x in ia for y in ib]}[self.op]
            if not fits((min(corners), max(corners)), self.kind):
                unsigned = NAMES[UNSIGNED[self.kind]]
                return f"({NAMES[self.kind]})(({unsigned}){a} {self.op} ({unsigned}){b})"
        return f"({a} {self.op} {b})"


@dataclass
class Compare(Expr):
    op: str = "<"
    domain: str = I32

    def text(self):
        a, b = (converted(x, self.domain) for x in self.operands)
        return f"({a} {self.op} {b})"


@dataclass
class Logic(Expr):
    op: str = "&&"

    def text(self):
        return f"({converted(self.operands[0], BOOL)} {self.op} {converted(self.operands[1], BOOL)})"


@dataclass
class Not(Expr):
    def text(self):
        return f"!{converted(self.operands[0], BOOL)}"


@dataclass
class Choice(Expr):
    def text(self):
        c, a, b = self.operands
        return f"({converted(c, BOOL)} ? {converted(a, self.kind)} : {converted(b, self.kind)})"


@dataclass
class Call(Expr):
    """A function with the types of its parameters; `bounds` of its result."""

    name: str = ""
    parameters: tuple = ()
    bounds: tuple = None

    def interval(self):
        return self.bounds or limits(self.kind)

    def text(self):
        arguments = ", ".join(converted(x, k) for x, k in zip(self.operands, self.parameters))
        return f"{self.name}({arguments})"


@dataclass
class Load(Expr):
    """`array[index % count]`, the index unsigned; count is text that is positive."""

    array: str = ""
    count: str = "1"

    def text(self):
        return f"{self.array}[{converted(self.operands[0], U32)} % {self.count}]"


@dataclass
class Statement:
    expressions: list = field(default_factory=list)
    blocks: list = field(default_factory=list)  # of lists of statements
    needed: bool = False  # a reducer must keep it: others stand on it

    def lines(self):
        raise NotImplementedError

    def body(self, index):
        return ["  " + line for s in self.blocks[index] for line in s.lines()]


@dataclass
class Declare(Statement):
    name: str = ""
    kind: str = I32

    def lines(self):
        return [f"{NAMES[self.kind]} {self.name} = {converted(self.expressions[0], self.kind)};"]


@dataclass
class Assign(Statement):
    target: str = ""
    kind: str = I32

    def lines(self):
        return [f"{self.target} = {converted(self.expressions[0], self.kind)};"]


@dataclass
class StoreElement(Statement):
    """`array[index % count] = value`, where only this lane's array or element is meant."""

    array: str = ""
    kind: str = I32
    count: str = ""

    def lines(self):
        value, index = self.expressions
        return [f"{self.array}[{converted(index, U32)} % {self.count}] ="
                f" {converted(value, self.kind)};"]


@dataclass
class Output(Statement):
    """One element of an output array, which is this thread's own. `place` is text."""

    array: str = ""
    kind: str = I32
    place: str = "gid"

    def lines(self):
        value = self.expressions[0]
        if self.kind == F32:
            return [f"{self.array}[{self.place}] = bits({converted(value, F32)});"]
        return [f"{self.array}[{self.place}] = {converted(value, self.kind)};"]


@dataclass
class If(Statement):
    def lines(self):
        result = [f"if ({converted(self.expressions[0], BOOL)}) {{", *self.body(0)]
        if len(self.blocks) > 1 and self.blocks[1]:
            result += ["} else {", *self.body(1)]
        return [*result, "}"]


@dataclass
class Count(Statement):
    """A loop with a counter of its own; `bound` is its one expression, made small by `most`."""

    name: str = "k"
    most: int = 4
    step: str = "up"

    def lines(self):
        e = self.expressions[0]
        bound = e.text() if e.kind == I32 and 0 <= e.interval()[0] and e.interval()[1] <= self.most \
            else f"(int)({converted(e, U32)} % {self.most + 1}u)"
        head = {"up": f"for (int {self.name} = 0; {self.name} < {bound}; ++{self.name}) {{",
                "down": f"for (int {self.name} = {bound}; {self.name} > 0; --{self.name}) {{",
                "halve": f"for (int {self.name} = {bound}; {self.name} > 0; {self.name} >>= 1) {{",
                "two": f"for (int {self.name} = 1; {self.name} < {bound}; {self.name} += 2) {{",
                }[self.step]
        return [head, *self.body(0), "}"]


@dataclass
class While(Statement):
    """`while (condition && fuel-- > 0)`: ends whatever the body does."""

    name: str = "fuel"
    most: int = 5
    after: bool = False

    def lines(self):
        condition = f"{converted(self.expressions[0], BOOL)} && {self.name}-- > 0"
        if self.after:
            return [f"int {self.name} = {self.most};", "do {", *self.body(0),
                    f"}} while ({condition});"]
        return [f"int {self.name} = {self.most};", f"while ({condition}) {{", *self.body(0), "}"]


@dataclass
class Jump(Statement):
    word: str = "break"

    def lines(self):
        return [f"if ({converted(self.expressions[0], BOOL)}) {self.word};"]


@dataclass
class Switch(Statement):
    ends: list = field(default_factory=list)  # which cases break
    default: bool = True

    def lines(self):
        result = [f"switch ({converted(self.expressions[0], U32)} % {len(self.blocks) + 1}u) {{"]
        for i in range(len(self.blocks)):
            last = i == len(self.blocks) - 1
            result.append("default: {" if last and self.default else f"case {i}u: {{")
            result += self.body(i)
            result.append("} break;" if self.ends[i] or last else "}")
        return [*result, "}"]


@dataclass
class Text(Statement):
    """Lines that are what they are: barriers and the like."""

    raw: list = field(default_factory=list)

    def lines(self):
        return self.raw


@dataclass
class Exchange(Statement):
    """Every thread writes its own element of a shared array; then all may read all of it."""

    array: str = ""
    kind: str = U32
    place: str = "tid"

    def lines(self):
        guard = ""
        if len(self.expressions) > 1:
            guard = f"if ({converted(self.expressions[1], BOOL)}) "
        return ["__syncthreads();",
                f"{guard}{self.array}[{self.place}] = {converted(self.expressions[0], self.kind)};",
                "__syncthreads();"]


@dataclass
class Shuffle(Statement):
    """A variable takes another lane's value; the warp is whole and all of it is here."""

    target: str = ""
    kind: str = I32
    form: str = "__shfl_xor_sync"
    detail: str = "1"

    def lines(self):
        value = converted(self.expressions[0], self.kind)
        lane = self.detail
        if len(self.expressions) > 1:
            lane = f"(int)({converted(self.expressions[1], U32)} % 32u)"
        return [f"{self.target} = {self.form}(0xffffffffu, {value}, {lane});"]


@dataclass
class Collect(Statement):
    """An atomic whose result nobody uses; one operation per array, so that order cannot matter."""

    call: str = "atomicAdd"
    array: str = "bins"
    count: str = "16"
    kind: str = U32

    def lines(self):
        value, index = self.expressions
        return [f"{self.call}(&{self.array}[{converted(index, U32)} % {self.count}],"
                f" {converted(value, self.kind)});"]


@dataclass
class Kernel:
    name: str
    body: list
    uses: set  # block, warp, atomics
    launches: list
    template: bool = False


# ---- growing -------------------------------------------------------------------------------------

INPUTS = {"in_i": I32, "in_u": U32, "in_f": F32, "in_c": I8, "in_h": U16, "in_b": U8, "in_s": I16}
OUTPUTS = {"out_u": U32, "out_i": I32, "out_f": F32, "out_h": I16, "out_b": U8}
WIDE_OUTPUTS = {"out_l": I64}
COORDINATES = [("tid", (0, 1023)), ("gid", (0, 1 << 20)), ("(int)threadIdx.x", (0, 1023)),
               ("(int)blockIdx.x", (0, 1 << 16)), ("(int)blockDim.x", (1, 1024)),
               ("(int)gridDim.x", (1, 1 << 16)), ("(int)threadIdx.y", (0, 63)),
               ("(int)blockIdx.y", (0, 1 << 12)), ("n", (1, 1 << 20)), ("m", (0, 4))]
SMALL_FLOATS = [0.0, 1.0, -1.0, 0.5, 3.25, -2.75, 1e-3, 1e10, 1e-40, 16777216.0, 0.1]


class Grower:
    """Grows one kernel from a random generator and a set of features."""

    def __init__(self, rng, features, helpers):
        self.rng, self.features, self.helpers = rng, features, helpers
        self.number = 0
        self.uses = set()

    def fresh(self, stem):
        self.number += 1
        return f"{stem}{self.number}"

    # Expressions -------------------------------------------------------------

    def word(self):
        kinds = [I32, I32, I32, U32, U32, U32, F32, F32]
        if "wide" in self.features:
            kinds += [I64, U64]
        return self.rng.choice(kinds)

    def leaf(self, kind, scope):
        rng = self.rng
        options = [v for v in scope if v.kind == kind]
        roll = rng.random()
        if options and roll < 0.5:
            return rng.choice(options)
        if kind == F32:
            if roll < 0.8:
                return Literal(F32, [], rng.choice(SMALL_FLOATS))
            return Name(F32, [], "c")
        if kind == BOOL:
            return Literal(BOOL, [], rng.randint(0, 1))
        if roll < 0.75:
            name, bounds = rng.choice(COORDINATES)
            name_node = Name(I32, [], name, bounds)
            return name_node if kind == I32 else Cast(kind, [name_node])
        if roll < 0.8:
            parameter = Name(I32, [], "a") if kind == I32 else Name(U32, [], "b")
            return parameter if parameter.kind == kind else Cast(kind, [parameter])
        low, high = limits(kind)
        value = rng.choice([0, 1, 2, 3, 5, 7, 8, 31, 100, low, high, rng.randint(low, high),
                            -1 if low < 0 else 255])
        return Literal(kind, [], min(max(value, low), high))

    def expr(self, kind, scope, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.12:
            return self.leaf(kind, scope)
        if kind == BOOL:
            return self.condition(scope, depth)
        if kind not in (I32, U32, F32, I64, U64):
            return Cast(kind, [self.expr(self.word(), scope, depth - 1)])
        roll = rng.random()
        if roll < 0.45:
            return self.arithmetic(kind, scope, depth)
        if roll < 0.55:
            c = self.condition(scope, depth - 1)
            return Choice(kind, [c, self.expr(kind, scope, depth - 1),
                                 self.expr(kind, scope, depth - 1)])
        if roll < 0.68:
            return self.call(kind, scope, depth)
        if roll < 0.82:
            return self.load(kind, scope, depth)
        other = rng.choice([I8, U8, I16, U16, I32, U32, F32, BOOL])
        return Cast(kind, [self.expr(other, scope, depth - 1)])

    def arithmetic(self, kind, scope, depth):
        rng = self.rng
        if kind == F32:
            ops = ["+", "-", "*"] + (["/"] if "precise" in self.features else [])
        else:
            ops = ["+", "-", "*", "+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"]
        return Binary(kind, [self.expr(kind, scope, depth - 1), self.expr(kind, scope, depth - 1)],
                      rng.choice(ops))

    def condition(self, scope, depth):
        rng = self.rng
        roll = rng.random()
        if depth > 0 and roll < 0.2:
            return Logic(BOOL, [self.condition(scope, depth - 1), self.condition(scope, depth - 1)],
                         rng.choice(["&&", "||"]))
        if depth > 0 and roll < 0.27:
            return Not(BOOL, [self.condition(scope, depth - 1)])
        truths = [v for v in scope if v.kind == BOOL]
        if truths and roll < 0.35:
            return rng.choice(truths)
        domain = self.word()
        return Compare(BOOL, [self.expr(domain, scope, depth - 1),
                              self.expr(domain, scope, depth - 1)],
                       rng.choice(["<", "<=", ">", ">=", "==", "!="]), domain)

    def call(self, kind, scope, depth):
        rng = self.rng
        calls = {
            I32: [("min", (I32, I32), None), ("max", (I32, I32), None), ("__popc", (U32,), (0, 32)),
                  ("__clz", (I32,), (0, 32)), ("__ffs", (I32,), (0, 32)),
                  ("__mulhi", (I32, I32), None), ("magnitude", (I32,), None)],
            U32: [("min", (U32, U32), None), ("max", (U32, U32), None), ("__brev", (U32,), None),
                  ("__umulhi", (U32, U32), None), ("rotated", (U32, U32), None),
                  ("bits", (F32,), None)],
            F32: [("fabsf", (F32,), None), ("floorf", (F32,), None), ("ceilf", (F32,), None),
                  ("truncf", (F32,), None), ("smaller", (F32, F32), None),
                  ("larger", (F32, F32), None), ("as_float", (U32,), None)],
            I64: [("min", (I64, I64), None), ("max", (I64, I64), None)],
            U64: [("min", (U64, U64), None), ("max", (U64, U64), None)],
        }[kind] + [h for h in self.helpers if h[3] == kind]
        if kind == F32 and "precise" in self.features:
            calls += [("sqrtf", (F32,), None), ("fmaf", (F32, F32, F32), None)]
        name, parameters, bounds, *_ = rng.choice(calls)
        return Call(kind, [self.expr(p, scope, depth - 1) for p in parameters], name, parameters,
                    bounds)

    def load(self, kind, scope, depth):
        rng = self.rng
        places = [(name, k, "un") for name, k in INPUTS.items()]
        places += [("table", I32, "16u"), ("ftable", F32, "8u"), ("p.data", U32, "un")]
        if "arrays" in self.uses:
            places += [("local", I32, "6u")] * 3
        if "block" in self.uses:
            places += [("shared_u", U32, "T")] * 2 + [("shared_f", F32, "T")] * 2
        fitting = [p for p in places if p[1] == kind] or places
        array, loaded, count = rng.choice(fitting if rng.random() < 0.7 else places)
        node = Load(loaded, [self.expr(U32, scope, depth - 1)], array, count)
        return node if loaded == kind else Cast(kind, [node])

    # Statements --------------------------------------------------------------

    def block(self, scope, depth, budget, **where):
        """Statements that see `scope`; what they declare ends with them."""
        inner = list(scope)
        return [self.statement(inner, depth, **where) for _ in range(self.rng.randint(1, budget))]

    def statement(self, scope, depth, loop=False, uniform=False, returns=False):
        rng = self.rng
        here = dict(loop=loop, uniform=uniform, returns=returns)
        apart = dict(loop=loop, uniform=False, returns=returns)
        roll = rng.random()
        variables = [v for v in scope if not v.bounds]
        if uniform and rng.random() < 0.35:
            collective = self.collective(scope, depth, **here)
            if collective:
                return collective
        if "atomics" in self.features and rng.random() < 0.08:
            return self.collect(scope)
        if roll < 0.2 or not variables:
            kind = rng.choice([I32, U32, F32, I32, U32, F32, I8, U8, I16, U16, BOOL]
                              + ([I64, U64] if "wide" in self.features else []))
            node = Declare([self.expr(kind, scope, 3)], [], False, self.fresh("v"), kind)
            scope.append(Name(kind, [], node.name))
            return node
        if roll < 0.5 or depth <= 0:
            if "arrays" in self.uses and rng.random() < 0.25:
                return StoreElement([self.expr(I32, scope, 3), self.expr(U32, scope, 2)], [], False,
                                    "local", I32, "6u")
            target = rng.choice(variables)
            return Assign([self.expr(target.kind, scope, 4)], [], False, target.name, target.kind)
        if roll < 0.68:
            blocks = [self.block(scope, depth - 1, 3, **apart)]
            if rng.random() < 0.5:
                blocks.append(self.block(scope, depth - 1, 3, **apart))
            return If([self.condition(scope, 2)], blocks)
        if roll < 0.82:
            name = self.fresh("k")
            inner = scope + [Name(I32, [], name, (0, 7))]
            body = self.block(inner, depth - 1, 3, loop=True, uniform=False, returns=returns)
            bound = self.bound(scope)
            return Count([bound], [body], False, name, rng.choice([3, 4, 7]),
                         rng.choice(["up", "up", "down", "halve", "two"]))
        if roll < 0.88:
            body = self.block(scope, depth - 1, 3, loop=True, uniform=False, returns=returns)
            return While([self.condition(scope, 2)], [body], False, self.fresh("fuel"), 4,
                         rng.random() < 0.3)
        if roll < 0.93:
            cases = rng.randint(2, 4)
            return Switch([self.expr(U32, scope, 2)],
                          [self.block(scope, depth - 1, 2, **dict(apart, loop=False))
                           for _ in range(cases)], False,
                          [rng.random() < 0.7 for _ in range(cases)], rng.random() < 0.6)
        if loop:
            return Jump([self.condition(scope, 2)], [], False, rng.choice(["break", "continue"]))
        if returns and rng.random() < 0.4:
            return Jump([self.condition(scope, 2)], [], False, "return")
        return Assign([self.expr(U32, scope, 3)], [], False, "own", U32)

    def bound(self, scope):
        rng = self.rng
        roll = rng.random()
        if roll < 0.4:
            return Name(I32, [], "m", (0, 4))
        if roll < 0.6:
            return Literal(I32, [], rng.randint(0, 4))
        return self.expr(U32, scope, 2)

    def uniform_condition(self):
        rng = self.rng
        return rng.choice([
            Compare(BOOL, [Name(I32, [], "n", (1, 1 << 20)), Literal(I32, [], 200)], ">", I32),
            Compare(BOOL, [Name(I32, [], "m", (0, 4)), Literal(I32, [], 2)], "<", I32),
            Compare(BOOL, [Binary(I32, [Name(I32, [], "(int)blockIdx.x", (0, 65535)),
                                        Literal(I32, [], rng.choice([1, 3]))], "&"),
                           Literal(I32, [], 1)], "==", I32),
            Compare(BOOL, [Load(U32, [Literal(U32, [], 3)], "in_u", "un"),
                           Literal(U32, [], 1 << 30)], "<", U32)])

    def collective(self, scope, depth, **here):
        rng = self.rng
        roll = rng.random()
        if "block" in self.uses and roll < 0.35:
            kind = rng.choice([U32, F32])
            expressions = [self.expr(kind, scope, 3)]
            if rng.random() < 0.4:
                expressions.append(self.condition(scope, 2))
            return Exchange(expressions, [], False, "shared_u" if kind == U32 else "shared_f", kind,
                            rng.choice(["tid", "T - 1 - tid", "(tid + 3) % T", "(tid + m) % T"]))
        if "warp" in self.uses and roll < 0.65:
            targets = [v for v in scope if v.kind in (I32, U32, F32) and not v.bounds]
            if not targets:
                return None
            target = rng.choice(targets)
            form, detail, computed = rng.choice([
                ("__shfl_xor_sync", rng.choice(["1", "2", "16", "31"]), False),
                ("__shfl_down_sync", rng.choice(["1", "4", "16"]), False),
                ("__shfl_up_sync", rng.choice(["1", "3", "16"]), False),
                ("__shfl_sync", rng.choice(["0", "31", "m"]), False), ("__shfl_sync", "", True)])
            expressions = [self.expr(target.kind, scope, 2)]
            if computed:
                expressions.append(self.expr(U32, scope, 2))
            return Shuffle(expressions, [], False, target.name, target.kind, form, detail)
        if not ({"block", "warp"} & self.uses) or depth <= 0:
            return None
        if roll < 0.8:
            return If([self.uniform_condition()],
                      [self.block(scope, depth - 1, 3, **dict(here, loop=False)),
                       self.block(scope, depth - 1, 2, **dict(here, loop=False))])
        name = self.fresh("k")
        bound = rng.choice([Name(I32, [], "m", (0, 4)),
                            Load(U32, [Literal(U32, [], 5)], "in_u", "un")])
        inner = scope + [Name(I32, [], name, (0, 7))]
        return Count([bound], [self.block(inner, depth - 1, 3, **dict(here, loop=False))], False,
                     name, 3, "up")

    def collect(self, scope):
        call, array, kind = self.rng.choice([
            ("atomicAdd", "bins_add", U32), ("atomicMax", "bins_max", I32),
            ("atomicXor", "bins_xor", U32), ("atomicMin", "bins_min", U32)])
        self.uses.add("atomics")
        return Collect([self.expr(kind, scope, 3), self.expr(U32, scope, 2)], [], False, call, array,
                       "16u", kind)

    # Kernels -----------------------------------------------------------------

    def kernel(self, name):
        rng = self.rng
        if rng.random() < 0.4:
            self.uses.add("block")
        if rng.random() < 0.25:
            self.uses.add("warp")
        if rng.random() < 0.3:
            self.uses.add("arrays")
        together = bool({"block", "warp"} & self.uses)
        scope, body = [], []
        if "arrays" in self.uses:
            body.append(Text([], [], True, ["int local[6] = {1, a, tid, 4, gid, -6};"]))
        if "block" in self.uses:
            body.append(Text([], [], True,
                             ["shared_u[tid] = in_u[(unsigned)gid % un] + 7u;",
                              "shared_f[tid] = in_f[(unsigned)gid % un];", "__syncthreads();"]))
        for kind in (I32, U32, F32):
            node = Declare([self.expr(kind, scope, 2)], [], True, self.fresh("v"), kind)
            scope.append(Name(kind, [], node.name))
            body.append(node)
        grid = "guarded" if not together and rng.random() < 0.7 else "all"
        if grid == "guarded":
            body.append(Text([], [], True, ["if (gid >= n) return;"]))
        for _ in range(rng.randint(3, 8)):
            body.append(self.statement(scope, 3, uniform=together, returns=not together))
        body += self.outputs(scope, grid)
        return Kernel(name, body, self.uses, self.launches(together))

    def outputs(self, scope, grid):
        rng = self.rng
        result = []
        arrays = dict(OUTPUTS, **(WIDE_OUTPUTS if "wide" in self.features else {}))
        for array, kind in arrays.items():
            if rng.random() < 0.6:
                place = rng.choice(["gid", "gid", "gid", "n - 1 - gid"])
                result.append(Output([self.expr(kind, scope, 3)], [], False, array, kind, place))
        for value in [v for v in scope if v.kind in (I32, U32, F32)][:4]:
            array = {I32: "out_i", U32: "out_u", F32: "out_f"}[value.kind]
            result.append(Output([value], [], False, array, value.kind,
                                 f"gid + {rng.choice([1, 2, 3])} * capacity"))
        result.append(Output([Name(U32, [], "own")], [], False, "out_u", U32, "gid + 4 * capacity"))
        guard = [Text([], [], True, ["if (gid >= n) return;"])] if grid != "guarded" else []
        return guard + result

    def launches(self, together):
        rng = self.rng
        flat = [((1, 1, 1), (1, 1, 1)), ((1, 1, 1), (33, 1, 1)), ((3, 1, 1), (64, 1, 1)),
                ((129, 1, 1), (32, 1, 1)), ((300, 1, 1), (3, 1, 1)), ((2, 1, 1), (1000, 1, 1)),
                ((17, 1, 1), (100, 1, 1)), ((3, 2, 1), (8, 5, 1)), ((2, 3, 2), (4, 3, 5)),
                ((130, 2, 1), (7, 2, 1)), ((5, 1, 3), (16, 4, 1))]
        if "warp" in self.uses:
            flat = [((1, 1, 1), (32, 1, 1)), ((3, 1, 1), (64, 1, 1)), ((129, 1, 1), (32, 1, 1)),
                    ((5, 1, 1), (256, 1, 1)), ((2, 3, 1), (8, 8, 1)), ((7, 1, 1), (16, 2, 3))]
        chosen = rng.sample(flat, 3)
        return [(g, b, rng.choice([0, 0, 1, 5, -3]), rng.randint(0, 4)) for g, b in chosen]


def size(kernel):
    def of_expr(e):
        return 1 + sum(of_expr(c) for c in e.children())

    def of_statement(s):
        return 1 + sum(of_expr(e) for e in s.expressions) + sum(
            of_statement(x) for b in s.blocks for x in b)
    return sum(of_statement(s) for s in kernel.body)


__all__ = [n for n in dir() if not n.startswith("_") and n not in ("dataclasses", "random")]

"""The tree of a random CUDA kernel, and how it is written so that it is well defined.

Safety belongs to the nodes, not to the generator: a node decides how to write itself from what
its operands are now (may this sum overflow? may this divisor be zero?). So a reducer may cut and
replace parts freely, and what is left is well defined still.
"""

from dataclasses import dataclass, field

from kinds import (BITS, BOOL, F32, F64, FLOATS, I32, I64, NAMES, U32, U64, UNSIGNED, conversion, fits,
                   limits, literal)

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
        return None if self.kind in FLOATS else (self.value, self.value)

    def text(self):
        return literal(self.value, self.kind)


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
    return conversion(expr.text(), expr.kind, kind)


@dataclass
class Cast(Expr):
    def text(self):
        return converted(self.operands[0], self.kind)


@dataclass
class Binary(Expr):
    op: str = "+"

    def interval(self):
        if self.kind in FLOATS:
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
        return own if own and operand.kind not in FLOATS and fits(own, self.kind) else limits(self.kind)

    def text(self):
        a, b = (converted(x, self.kind) for x in self.operands)
        if self.kind in FLOATS:
            rounded = "(double)(float)" if self.kind == F64 else ""
            return f"{rounded}({a} {self.op} {b})"
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
    """`array[index % count]member`, the index unsigned; count is text that is positive. A second operand
    is the index of the member, an array of three."""

    array: str = ""
    count: str = "1"
    member: str = ""

    def text(self):
        element = f"{self.array}[{converted(self.operands[0], U32)} % {self.count}]{self.member}"
        if len(self.operands) > 1:
            element += f"[{converted(self.operands[1], U32)} % 3u]"
        return f"(double)(float){element}" if self.kind == F64 else element


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
        value = converted(self.expressions[0], self.kind)
        if self.kind in FLOATS:
            value = f"{'bits' if self.kind == F32 else 'canonical'}({value})"
        return [f"{self.array}[{self.place}] = {value};"]


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
    form: str = "while"  # or do, or goto

    def lines(self):
        condition = f"{converted(self.expressions[0], BOOL)} && {self.name}-- > 0"
        if self.form == "goto":
            return [f"int {self.name} = {self.most};", f"again_{self.name}:;", *self.body(0),
                    f"if ({condition}) goto again_{self.name};"]
        if self.form == "do":
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
class Pattern(Statement):
    """Lines with expressions in them: `$0` is the first one, as a value of the first of `kinds`."""

    raw: list = field(default_factory=list)
    kinds: tuple = ()

    def lines(self):
        result = list(self.raw)
        for i, (expression, kind) in enumerate(zip(self.expressions, self.kinds)):
            result = [line.replace(f"${i}", converted(expression, kind)) for line in result]
        return result


@dataclass
class Exchange(Statement):
    """Every thread writes its own element of a shared array; then all may read all of it."""

    array: str = ""
    kind: str = U32
    place: str = "tid"

    def lines(self):
        guard = []
        if len(self.expressions) > 1:
            guard = [f"  const bool writes = {converted(self.expressions[1], BOOL)};"]
        value = converted(self.expressions[0], self.kind)
        return ["{", f"  const {NAMES[self.kind]} value = {value};", *guard,
                "  __syncthreads();",  # what it is made of may be in the array
                f"  {'if (writes) ' if guard else ''}{self.array}[{self.place}] = value;",
                "  __syncthreads();", "}"]


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
    uses: set  # block, warp, arrays, dynamic, atomics
    launches: list
    template: bool = False


def size(kernel):
    def of_expr(e):
        return 1 + sum(of_expr(c) for c in e.children())

    def of_statement(s):
        return 1 + sum(of_expr(e) for e in s.expressions) + sum(
            of_statement(x) for b in s.blocks for x in b)
    return sum(of_statement(s) for s in kernel.body)

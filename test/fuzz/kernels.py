"""How a random kernel grows: expressions, statements and launches from a random generator."""

from collectives import Collectives
from kinds import (BF16, BOOL, F16, F32, F64, FLOATS, HALVES, I16, I32, I64, I8, U16, U32, U64, U8, limits)
from tree import (Assign, Binary, Call, Cast, Choice, Compare, Count, Declare, If, Jump, Kernel, Literal, Load,
                  Logic, Name, Not, Output, Pattern, StoreElement, Switch, Text, While, size)

# ---- what kernels work on ------------------------------------------------------------------------

FEATURES = ["wide", "atomics", "halves", "doubles", "groups", "records"]
INPUTS = {"in_i": I32, "in_u": U32, "in_f": F32, "in_c": I8, "in_h": U16, "in_b": U8, "in_s": I16}
OUTPUTS = {"out_u": U32, "out_i": I32, "out_f": F32, "out_h": I16, "out_b": U8}
MORE_INPUTS = {"wide": {"in_l": I64}, "doubles": {"in_d": F64}, "halves": {"in_k": F16, "in_w": BF16}}
MORE_OUTPUTS = {"wide": {"out_l": I64}, "doubles": {"out_d": F64}, "halves": {"out_k": F16, "out_w": BF16}}
MORE_WORDS = {"wide": [I64, U64], "doubles": [F64], "halves": [F16, BF16]}
# Members of `Item`, and views of arrays as vectors.
MEMBERS = [(".key", I32), (".weight", F32), (".pair.x", I32), (".pair.y", I32), (".tag", U16), (".level", I8),
           (".flag", U8)]
VIEWS = [("float4", "in_f", F32, "xyzw", 4), ("int2", "in_i", I32, "xy", 2), ("uint4", "in_u", U32, "xyzw", 4),
         ("uchar4", "in_b", U8, "xyzw", 4), ("short2", "in_s", I16, "xy", 2)]


def inputs(features):
    return INPUTS | {k: v for f in sorted(features) for k, v in MORE_INPUTS.get(f, {}).items()}


def outputs(features):
    return OUTPUTS | {k: v for f in sorted(features) for k, v in MORE_OUTPUTS.get(f, {}).items()}


COORDINATES = [("tid", (0, 1023)), ("gid", (0, 1 << 20)), ("(int)threadIdx.x", (0, 1023)),
               ("(int)blockIdx.x", (0, 1 << 16)), ("(int)blockDim.x", (1, 1024)),
               ("(int)gridDim.x", (1, 1 << 16)), ("(int)threadIdx.y", (0, 63)),
               ("(int)blockIdx.y", (0, 1 << 12)), ("n", (1, 1 << 20)), ("m", (0, 4))]
SMALL_FLOATS = [0.0, 1.0, -1.0, 0.5, 3.25, -2.75, 1e-3, 1e10, 1e-40, 16777216.0, 0.1]


# Functions: name, types of parameters, bounds of the result.
CALLS = {
    I32: [("min", (I32, I32), None), ("max", (I32, I32), None), ("__popc", (U32,), (0, 32)),
          ("__clz", (I32,), (0, 32)), ("__ffs", (I32,), (0, 32)), ("__mulhi", (I32, I32), None),
          ("magnitude", (I32,), None), ("nearest", (F32,), None),
          ("__hadd", (I32, I32), None), ("__rhadd", (I32, I32), None)],
    U32: [("min", (U32, U32), None), ("max", (U32, U32), None), ("__brev", (U32,), None),
          ("__umulhi", (U32, U32), None), ("rotated", (U32, U32), None), ("bits", (F32,), None),
          ("__byte_perm", (U32, U32, U32), None), ("__funnelshift_l", (U32, U32, U32), None),
          ("__funnelshift_r", (U32, U32, U32), None), ("__dp4a", (U32, U32, U32), None),
          ("__usad", (U32, U32, U32), None), ("__uhadd", (U32, U32), None),
          ("__urhadd", (U32, U32), None)],
    F32: [("fabsf", (F32,), None), ("floorf", (F32,), None), ("ceilf", (F32,), None),
          ("truncf", (F32,), None), ("rintf", (F32,), None), ("roundf", (F32,), None),
          ("smaller", (F32, F32), None), ("larger", (F32, F32), None), ("as_float", (U32,), None),
          ("signed_as", (F32, F32), None)],
    I64: [("min", (I64, I64), None), ("max", (I64, I64), None)],
    U64: [("min", (U64, U64), None), ("max", (U64, U64), None), ("__brevll", (U64,), None),
          ("__umul64hi", (U64, U64), None)],
    F64: [("fabs", (F64,), None), ("floor", (F64,), None), ("smaller", (F64, F64), None),
          ("larger", (F64, F64), None)],
}
for half in HALVES:
    CALLS[half] = [("__habs", (half,), None), ("hfloor", (half,), None), ("hceil", (half,), None),
                   ("htrunc", (half,), None), ("hrint", (half,), None), ("hsqrt", (half,), None),
                   ("__hfma", (half, half, half), None), ("__hneg", (half,), None),
                   ("smaller", (half, half), None), ("larger", (half, half), None),
                   ("crossed", (half, half), None)]
WIDE_CALLS = {I32: [("__popcll", (U64,), (0, 64)), ("__clzll", (I64,), (0, 64)), ("__ffsll", (I64,), (0, 64))],
              I64: [("__mul64hi", (I64, I64), None)]}
PRECISE_CALLS = {F32: [("sqrtf", (F32,), None), ("fmaf", (F32, F32, F32), None)],
                 F64: [("root", (F64,), None)]}


class Grower(Collectives):
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
        return self.rng.choice([I32, I32, I32, U32, U32, U32, F32, F32] + self.more_words())

    def more_words(self):
        return [kind for f in sorted(self.features) for kind in MORE_WORDS.get(f, [])]

    def leaf(self, kind, scope):
        rng = self.rng
        options = [v for v in scope if v.kind == kind]
        roll = rng.random()
        if options and roll < 0.5:
            return rng.choice(options)
        if kind in FLOATS:
            if roll < 0.8:
                return Literal(kind, [], rng.choice(SMALL_FLOATS))
            return Name(F32, [], "c") if kind == F32 else Cast(kind, [Name(F32, [], "c")])
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
        if kind not in (I32, U32, I64, U64, *FLOATS):
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
        other = rng.choice([I8, U8, I16, U16, I32, U32, F32, BOOL] + self.more_words())
        return Cast(kind, [self.expr(other, scope, depth - 1)])

    def arithmetic(self, kind, scope, depth):
        rng = self.rng
        if kind in FLOATS:
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
        calls = CALLS[kind] + [h for h in self.helpers if h[3] == kind]
        if "wide" in self.features:
            calls += WIDE_CALLS.get(kind, [])
        if kind in (F32, F64) and "precise" in self.features:
            calls += PRECISE_CALLS[kind]
        name, parameters, bounds, *_ = rng.choice(calls)
        return Call(kind, [self.expr(p, scope, depth - 1) for p in parameters], name, parameters,
                    bounds)

    def load(self, kind, scope, depth):
        rng = self.rng
        places = [(name, k, "un") for name, k in inputs(self.features).items()]
        places += [("table", I32, "16u"), ("ftable", F32, "8u"), ("p.data", U32, "un")]
        if "arrays" in self.uses:
            places += [("local", I32, "6u")] * 3 + [("flocal", F32, "5u")]
        if "block" in self.uses:
            places += [("shared_u", U32, "T")] * 2 + [("shared_f", F32, "T")] * 2
        if "records" in self.features:
            places += [("items", k, "un", member) for member, k in MEMBERS] + [("items", I32, "un", ".parts")]
            places += [(f"reinterpret_cast<const {view} *>({array})", k, f"(un / {width} + 1)",
                        "." + rng.choice(members)) for view, array, k, members, width in VIEWS]
        fitting = [p for p in places if p[1] == kind] or places
        array, loaded, count, *member = rng.choice(fitting if rng.random() < 0.7 else places)
        operands = [self.expr(U32, scope, depth - 1)]
        if member == [".parts"]:
            operands.append(self.expr(U32, scope, depth - 2))
        node = Load(loaded, operands, array, count, "".join(member))
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
        if uniform and rng.random() < 0.45:
            collective = self.collective(scope, depth, **here)
            if collective:
                return collective
        if "atomics" in self.features and rng.random() < 0.08:
            return self.collect(scope)
        if "records" in self.features and rng.random() < 0.08:
            return self.record(scope)
        if rng.random() < 0.03:
            return self.walk(scope)
        if roll < 0.2 or not variables:
            kind = rng.choice([I32, U32, F32, I32, U32, F32, I8, U8, I16, U16, BOOL]
                              + self.more_words())
            node = Declare([self.expr(kind, scope, 3)], [], False, self.fresh("v"), kind)
            scope.append(Name(kind, [], node.name))
            return node
        if roll < 0.5 or depth <= 0:
            if "arrays" in self.uses and rng.random() < 0.25:
                array, kind, count = rng.choice([("local", I32, "6u"), ("local", I32, "6u"),
                                                 ("flocal", F32, "5u")])
                return StoreElement([self.expr(kind, scope, 3), self.expr(U32, scope, 2)], [], False, array,
                                    kind, count)
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
            form = rng.choice(["while", "while", "do", "goto"])
            body = self.block(scope, depth - 1, 3, loop=loop or form != "goto", uniform=False, returns=returns)
            return While([self.condition(scope, 2)], [body], False, self.fresh("fuel"), 4, form)
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

    def record(self, scope):
        """A struct or a vector from memory, or one put together; its members are variables then."""
        rng = self.rng
        name = self.fresh("r")
        roll = rng.random()
        if roll < 0.4:
            lines, kinds = [f"Item {name} = items[$0 % un];"], (U32,)
            members = MEMBERS
        elif roll < 0.7:
            view, array, kind, letters, width = rng.choice(VIEWS)
            lines = [f"{view} {name} = reinterpret_cast<const {view} *>({array})[$0 % (un / {width} + 1)];"]
            kinds, members = (U32,), [("." + x, kind) for x in letters]
        else:
            view, kind, letters = rng.choice([("int2", I32, "xy"), ("float2", F32, "xy"), ("uint3", U32, "xyz")])
            arguments = ", ".join(f"${i}" for i in range(len(letters)))
            lines, kinds = [f"{view} {name} = make_{view}({arguments});"], (kind,) * len(letters)
            members = [("." + x, kind) for x in letters]
        node = Pattern([self.expr(kind, scope, 2) for kind in kinds], [], False, lines, kinds)
        scope += [Name(kind, [], name + member) for member, kind in members]
        return node

    def walk(self, scope):
        """A pointer that moves through an array."""
        q = self.fresh("q")
        loop = self.rng.choice([
            [f"  for (int left = 4; {q} < in_i + un && left > 0; {q} += 1 + (left & 1), --left)",
             f"    own += (unsigned)*{q};"],
            [f"  while ({q} < in_i + un && (*{q} & 1) != 0) ++{q};", f"  own += (unsigned)({q} - in_i);"],
            [f"  for (int left = 3; left > 0 && {q} != in_i; --left) own ^= (unsigned)*--{q};"]])
        return Pattern([self.expr(U32, scope, 2)], [], False,
                       ["{", f"  const int *{q} = in_i + $0 % un;", *loop, "}"], (U32,))

    def bound(self, scope):
        rng = self.rng
        roll = rng.random()
        if roll < 0.4:
            return Name(I32, [], "m", (0, 4))
        if roll < 0.6:
            return Literal(I32, [], rng.randint(0, 4))
        return self.expr(U32, scope, 2)

    # Kernels -----------------------------------------------------------------

    def kernel(self, name):
        rng = self.rng
        if rng.random() < 0.4:
            self.uses.add("block")
            if rng.random() < 0.3:
                self.uses.add("dynamic")
        if rng.random() < 0.35:
            self.uses.add("warp")
        if rng.random() < 0.3:
            self.uses.add("arrays")
        together = bool({"block", "warp"} & self.uses)
        scope, body = [], []
        if "arrays" in self.uses:
            body.append(Text([], [], True, ["int local[6] = {1, a, tid, 4, gid, -6};",
                                        "float flocal[5] = {c, 0.5f, (float)tid, -2.0f, 1e10f};"]))
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
        kernel = Kernel(name, body, self.uses, self.launches(together))
        if size(kernel) > 250:  # all values of a large block do not fit a partition
            kernel.launches = [(g, min(b, (330, 1, 1)), r, m) for g, b, r, m in kernel.launches]
        return kernel

    def outputs(self, scope, grid):
        rng = self.rng
        result = []
        for array, kind in outputs(self.features).items():
            if rng.random() < 0.6:
                place = rng.choice(["gid", "gid", "gid", "n - 1 - gid"])
                result.append(Output([self.expr(kind, scope, 3)], [], False, array, kind, place))
        for value in [v for v in scope if v.kind in (I32, U32, F32)][:4]:
            array = {I32: "out_i", U32: "out_u", F32: "out_f"}[value.kind]
            result.append(Output([value], [], False, array, value.kind,
                                 f"gid + {rng.choice([1, 2, 3])} * capacity"))
        if "records" in self.features:
            result += self.record_outputs(scope)
        if "doubles" in self.features and rng.random() < 0.5:  # that no one computes with
            result.append(Pattern([self.condition(scope, 2), self.expr(U32, scope, 2), self.expr(U32, scope, 2)],
                                  [], False, ["out_e[gid] = in_d[($0 ? $1 : $2) % un];"], (BOOL, U32, U32)))
        result.append(Output([Name(U32, [], "own")], [], False, "out_u", U32, "gid + 4 * capacity"))
        guard = [Text([], [], True, ["if (gid >= n) return;"])] if grid != "guarded" else []
        return guard + result

    def record_outputs(self, scope):
        choices = [
            (["{", "  Record r = {$0, $1, $2, $3, $4, $5};", "  records[gid] = r;", "}"],
             (U32, I32, I16, U8, I8, U32)),
            (["if ($0) records[gid].b = $1;", "records[gid].d = $2;"], (BOOL, I32, U8)),
            (["reinterpret_cast<uint4 *>(out_q)[gid] = make_uint4($0, $1, bits($2), gid);"], (U32, U32, F32)),
            (["reinterpret_cast<short2 *>(out_q)[2 * gid + 1] = make_short2($0, $1);"], (I16, I16))]
        return [Pattern([self.expr(kind, scope, 2) for kind in kinds], [], False, lines, kinds)
                for lines, kinds in self.rng.sample(choices[:2], 1) + self.rng.sample(choices[2:], 1)]

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

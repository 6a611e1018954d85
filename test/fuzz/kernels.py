"""How a random kernel grows: expressions, statements and launches from a random generator."""

from tree import (BOOL, F32, I16, I32, I64, I8, U16, U32, U64, U8, Assign, Binary, Call, Cast,
                  Choice, Collect, Compare, Count, Declare, Exchange, If, Jump, Kernel, Literal,
                  Load, Logic, Name, Not, Output, Shuffle, StoreElement, Switch, Text, While,
                  limits)

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

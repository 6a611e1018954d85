"""What threads do together: barriers, shared memory, warps, groups, and atomics whose order cannot matter."""

from kinds import BOOL, F32, I32, I64, U32, U64
from tree import (Binary, Collect, Compare, Count, Exchange, If, Literal, Load, Name, Pattern, Shuffle)

EVERYONE = "0xffffffffu"

# Of warps, all lanes here: `%` is the variable that takes the result.
VOTES = [
    (["% = __popc(__ballot_sync(E, $0));"], (BOOL,)),
    (["% = __ballot_sync(E, $0);"], (BOOL,)),
    (["% = __any_sync(E, $0) + 2 * __all_sync(E, $0);"], (BOOL,)),
    (["% = __match_any_sync(E, $0 & 3u);"], (U32,)),
    (["% = __match_any_sync(E, $0);"], (I32,)),
    (["{ int same = 0; % = __match_all_sync(E, $0, &same); own += same; }"], (U32,)),
    (["% = __reduce_add_sync(E, $0);"], (U32,)),
    (["% = __reduce_min_sync(E, $0);"], (I32,)),
    (["% = __reduce_max_sync(E, $0);"], (U32,)),
    (["% = __reduce_xor_sync(E, $0) ^ __reduce_and_sync(E, $0);"], (U32,)),
    (["% = __reduce_or_sync(E, $0);"], (U32,)),
    (["% = __shfl_down_sync(E, $0, 3, 8);"], (I32,)),
    (["% = __shfl_up_sync(E, $0, 5, 16);"], (U32,)),
    (["% = __shfl_xor_sync(E, $0, 3, 4);"], (I32,)),
    (["% = __shfl_sync(E, $0, $1 % 16u, 16);"], (U32, U32)),
    # Some lanes only.
    (["{", "  const bool here = $0;", "  const unsigned who = __ballot_sync(E, here);", "  if (here) {",
      "    % = __shfl_sync(who, $1, __ffs(who) - 1);", "    own += __reduce_max_sync(who, $2);", "  }",
      "}"], (BOOL, I32, U32)),
    (["{", "  const bool here = $0;", "  const unsigned who = __ballot_sync(E, here);",
      "  if (here) own += __popc(__match_any_sync(who, $1 & 1u));", "}"], (BOOL, U32)),
]
WIDE_VOTES = [
    (["% = (int)__shfl_sync(E, $0, $1 % 32u);"], (I64, U32)),
    (["% = (int)(__shfl_xor_sync(E, $0, 8) >> 20);"], (U64,)),
    (["% = __match_any_sync(E, $0);"], (I64,)),
]
TILE = "  const auto tile = cg::tiled_partition<{size}>(cg::this_thread_block());"
TILES = [
    (["{", TILE, "  % = tile.shfl_xor($0, {size} / 2);", "}"], (I32,)),
    (["{", TILE, "  % = tile.shfl_down($0, 1) + tile.thread_rank();", "}"], (U32,)),
    (["{", TILE, "  % = tile.shfl($0, $1 % {size}u);", "}"], (I32, U32)),
    (["{", TILE, "  % = tile.ballot($0) + tile.meta_group_rank();", "}"], (BOOL,)),
    (["{", TILE, "  % = tile.any($0) + 2 * tile.all($1);", "}"], (BOOL, BOOL)),
    (["{", TILE, "  % = cg::reduce(tile, $0, cg::plus<unsigned>());", "}"], (U32,)),
    (["{", TILE, "  % = cg::reduce(tile, $0, cg::less<int>());", "}"], (I32,)),
    (["{", TILE, "  own ^= cg::reduce(tile, $0, cg::bit_xor<unsigned>());", "}"], (U32,)),
]
BLOCKS = [
    (["% = __syncthreads_count($0);"], (BOOL,)),
    (["% = __syncthreads_or($0) + 2 * __syncthreads_and($1);"], (BOOL, BOOL)),
] + [
    (["{", "  const unsigned value = $0, place = $1 % T;", "  __syncthreads();",
      f"  {call}(&shared_u[place], value);", "  __syncthreads();", "}"], (U32, U32))
    for call in ("atomicAdd", "atomicMax", "atomicMin", "atomicXor", "atomicOr", "atomicAnd", "atomicSub",
                 "swap_max")
]

# One operation per array, so that the order of threads cannot matter.
BINS = [("atomicAdd", "bins_add", U32), ("atomicMax", "bins_max", I32), ("atomicXor", "bins_xor", U32),
        ("atomicMin", "bins_min", U32), ("atomicOr", "bins_or", U32), ("atomicAnd", "bins_and", I32),
        ("swap_max", "bins_swap", U32), ("whole_add", "bins_float", U32)]
WIDE_BINS = [("atomicAdd", "bins_long", U64)]


class Collectives:
    """Part of the grower of kernels (kernels.py)."""

    def pattern(self, choices, scope):
        """One of `choices` with expressions grown for it; None where no variable can take its result."""
        rng = self.rng
        targets = [v for v in scope if v.kind in (I32, U32) and not v.bounds]
        if not targets:
            return None
        lines, kinds = rng.choice(choices)
        size = str(rng.choice([2, 4, 8, 16, 32]))
        target = rng.choice(targets).name
        raw = [line.replace("%", target, 1) if line.lstrip(" {").startswith("% =") or " % = " in line else line
               for line in lines]
        raw = [line.replace("(E,", f"({EVERYONE},").replace("{size}", size) for line in raw]
        return Pattern([self.expr(kind, scope, 2) for kind in kinds], [], False, raw, kinds)

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

    def exchange(self, scope):
        rng = self.rng
        kind = rng.choice([U32, F32])
        expressions = [self.expr(kind, scope, 3)]
        if rng.random() < 0.4:
            expressions.append(self.condition(scope, 2))
        return Exchange(expressions, [], False, "shared_u" if kind == U32 else "shared_f", kind,
                        rng.choice(["tid", "T - 1 - tid", "(tid + 3) % T", "(tid + m) % T"]))

    def shuffle(self, scope):
        rng = self.rng
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

    def collective(self, scope, depth, **here):
        """A statement that all threads of a block reach, or None."""
        rng = self.rng
        roll = rng.random()
        if "block" in self.uses and roll < 0.35:
            return self.pattern(BLOCKS, scope) if rng.random() < 0.35 else self.exchange(scope)
        if "warp" in self.uses and roll < 0.65:
            kind = rng.random()
            if kind < 0.45 or "groups" not in self.features:
                return self.shuffle(scope)
            votes = VOTES + (WIDE_VOTES if "wide" in self.features else [])
            return self.pattern(votes if kind < 0.8 else TILES, scope)
        if not ({"block", "warp"} & self.uses) or depth <= 0:
            return None
        inside = dict(here, loop=False)
        if roll < 0.8:
            return If([self.uniform_condition()], [self.block(scope, depth - 1, 3, **inside),
                                                   self.block(scope, depth - 1, 2, **inside)])
        name = self.fresh("k")
        bound = rng.choice([Name(I32, [], "m", (0, 4)), Load(U32, [Literal(U32, [], 5)], "in_u", "un")])
        inner = scope + [Name(I32, [], name, (0, 7))]
        return Count([bound], [self.block(inner, depth - 1, 3, **inside)], False, name, 3, "up")

    def collect(self, scope):
        call, array, kind = self.rng.choice(BINS + (WIDE_BINS if "wide" in self.features else []))
        self.uses.add("atomics")
        return Collect([self.expr(kind, scope, 3), self.expr(U32, scope, 2)], [], False, call, array, "16u",
                       kind)

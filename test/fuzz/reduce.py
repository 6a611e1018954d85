"""Makes a failing kernel small: cuts statements and replaces expressions while it still fails."""

import copy

from kinds import BOOL, FLOATS
from tree import Cast, If, Kernel, Literal, size


def _blocks(statements):
    """Every list of statements in a tree, outermost first."""
    yield statements
    for statement in statements:
        for block in statement.blocks:
            yield from _blocks(block)


def _places(statements):
    """Every (list, index) that holds an expression, outermost first."""
    def inside(holder):
        for i in range(len(holder)):
            yield holder, i
            yield from inside(holder[i].children())

    for block in _blocks(statements):
        for statement in block:
            yield from inside(statement.expressions)


def _without_statements(kernel, fails):
    """Cuts runs of statements, long ones first; a construct may also become its body."""
    progress = False
    for which in range(10**6):
        blocks = list(_blocks(kernel.body))
        if which >= len(blocks):
            return kernel, progress
        length = max(1, len(blocks[which]) // 2)
        while length >= 1:
            start = 0
            while True:
                block = list(_blocks(kernel.body))[which]
                if start >= len(block):
                    break
                candidate = copy.deepcopy(kernel)
                part = list(_blocks(candidate.body))[which]
                cut = part[start:start + length]
                if any(s.needed for s in cut):
                    start += 1
                    continue
                del part[start:start + length]
                if fails(candidate):
                    kernel, progress = candidate, True
                    continue
                if length == 1 and cut[0].blocks:
                    opened = copy.deepcopy(kernel)
                    part = list(_blocks(opened.body))[which]
                    part[start:start + 1] = [If([Literal(BOOL, [], 1)], [b])
                                             for b in cut[0].blocks if b]
                    if type(cut[0]) is not If and fails(opened):
                        kernel, progress = opened, True
                start += length
            length //= 2
    return kernel, progress


def _with_smaller_expressions(kernel, fails):
    progress = False
    index = 0
    while True:
        places = list(_places(kernel.body))
        if index >= len(places):
            return kernel, progress
        holder, i = places[index]
        node = holder[i]
        zero = Literal(node.kind, [], 0.0 if node.kind in FLOATS else 0)
        one = Literal(node.kind, [], 1.0 if node.kind in FLOATS else 1)
        options = [] if isinstance(node, Literal) else [zero, one]
        options += [c if c.kind == node.kind else Cast(node.kind, [c]) for c in node.children()
                    if not (isinstance(node, Cast) and c.kind != node.kind)]
        for option in options:
            candidate = copy.deepcopy(kernel)
            holder, i = list(_places(candidate.body))[index]
            holder[i] = copy.deepcopy(option)
            if size(candidate) < size(kernel) and fails(candidate):
                kernel, progress = candidate, True
                break
        index += 1


def reduce_kernel(kernel: Kernel, fails):
    """The smallest kernel found for which `fails` still holds; `kernel` itself fails."""
    for launch in list(kernel.launches):
        candidate = copy.deepcopy(kernel)
        candidate.launches = [launch]
        if fails(candidate):
            kernel = candidate
            break
    progress = True
    while progress:
        kernel, cut = _without_statements(kernel, fails)
        kernel, replaced = _with_smaller_expressions(kernel, fails)
        progress = cut or replaced
    return kernel

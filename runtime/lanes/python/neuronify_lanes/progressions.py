"""Lists of integers as few nested arithmetic progressions: what access patterns are made of."""

from nki.language import NKIObject


class Run(NKIObject):
    """Positions and values that move together, as nested counted steps.

    The element at counts (i0, i1, ...) stands at position `first + sum(i * position step)` and has
    the value `value + sum(i * value step)`. `steps` holds [value step, position step, count] from
    the outside to the inside, at least one.
    """

    def __init__(self, first, value, steps):
        self.first = first
        self.value = value
        self.steps = steps


def _simple_runs(values, active):
    """Consecutive active positions with one step between their values."""
    runs = []
    count = len(values)
    position = 0
    while position < count:
        if active != True and not active[position]:  # noqa: E712
            position += 1
            continue
        end = position + 1
        step = 0
        if end < count and (active == True or active[end]):  # noqa: E712
            step = values[end] - values[position]
            while (
                end < count
                and (active == True or active[end])  # noqa: E712
                and values[end] - values[end - 1] == step
            ):
                end += 1
        if end - position == 1:
            step = 0
        runs.append(Run(position, values[position], [[step, 1, end - position]]))
        position = end
    return runs


def _same_steps(a, b):
    if len(a.steps) != len(b.steps):
        return False
    for i in range(len(a.steps)):
        if a.steps[i] != b.steps[i]:
            return False
    return True


def _merge(runs):
    """Neighbours of the same form at equal distances become one run with a step more."""
    merged = []
    i = 0
    while i < len(runs):
        run = runs[i]
        j = i + 1
        if j < len(runs) and _same_steps(run, runs[j]):
            by_position = runs[j].first - run.first
            by_value = runs[j].value - run.value
            while (
                j < len(runs)
                and _same_steps(run, runs[j])
                and runs[j].first - runs[j - 1].first == by_position
                and runs[j].value - runs[j - 1].value == by_value
            ):
                j += 1
            steps = [[by_value, by_position, j - i]]
            steps.extend(run.steps)
            run = Run(run.first, run.value, steps)
        merged.append(run)
        i = j
    return merged


def runs_of(values, active):
    """The active positions of `values` as runs, in order; `active` is True or a list of booleans."""
    runs = _simple_runs(values, active)
    if len(runs) > 1:
        runs = _merge(runs)
    if len(runs) > 1:
        runs = _merge(runs)
    return runs


def value_pattern(run, scale):
    """[stride, count] of the values, times `scale`, for an access pattern."""
    pattern = []
    for step in run.steps:
        pattern.append([step[0] * scale, step[2]])
    return pattern


def position_pattern(run):
    """[stride, count] of the positions."""
    pattern = []
    for step in run.steps:
        pattern.append([step[1], step[2]])
    return pattern


def length(run):
    """How many elements."""
    count = 1
    for step in run.steps:
        count *= step[2]
    return count

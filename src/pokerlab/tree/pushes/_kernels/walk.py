"""Kernels that walk the decisions below a seat's own, for every class of hands that the seat may hold."""

from pokerlab.compiled import kernel


@kernel
def action_values(
    child,  # [node, 2] int64: decisions, or -1 - the number of a terminal
    last,  # [node] int64: one past the last decision below
    seats,  # [node] int64: who decides
    calls,  # [pair, 169] float64: chance of a push at a decision, given the class held at one above it
    pairs,  # [node, node depth] int64: the row of `calls` by a decision and the depth of the one above it
    depths,  # [node] int64: how many decisions lie above
    values,  # [terminal, seat, 169] float64: the value of a terminal to a seat by its class
    nodes,  # [n] int64: the decisions of this piece of work
    scratch,  # [node + 1, 169] float64
    out,  # [node, 2, 169] float64, written: of folding and pushing there
):
    """The values of both actions at some decisions, everyone after them playing on."""
    for node in nodes:
        seat, depth = seats[node], depths[node]
        for below in range(last[node] - 1, node, -1):
            chance = calls[pairs[below, depth]]
            into = scratch[below]
            quiet = value_of(child[below, 0], seat, values, scratch)
            acting = value_of(child[below, 1], seat, values, scratch)
            for hand in range(169):
                into[hand] = quiet[hand] + chance[hand] * (acting[hand] - quiet[hand])
        for action in range(2):
            out[node, action] = value_of(child[node, action], seat, values, scratch)


@kernel
def value_of(number, seat, values, scratch):
    """The value of a decision or a terminal: [169]."""
    if number < 0:
        return values[-1 - number, seat]
    return scratch[number]

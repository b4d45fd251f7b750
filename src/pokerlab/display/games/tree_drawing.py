"""A small game tree as SVG, with a colour per player and every infoset marked.

The nodes of an infoset are joined by a dashed line in a lane of its own above them, so that interleaved infosets stay
apart. Chance is a grey diamond, a decision a disc with the number of its player, a terminal node a column of payoffs.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.sax import saxutils

from pokerlab.errors import TooLarge, printable
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text
from pokerlab.writing import replacing

LARGEST = 400  # nodes that still make a readable picture
COLOURS = ("#c0392b", "#2468b4", "#2e8b57", "#8e44ad", "#d68910", "#16808a")
INK, FAINT, PAPER = "#22262b", "#8a9099", "#ffffff"
RADIUS, LANE, LETTER, MARGIN = 11.0, 10.0, 6.3, 34.0  # in pixels; LETTER is the width of one


@dataclass
class _Node:
    """One node of the drawing."""

    player: int
    depth: int
    label: str  # the infoset's text, or nothing
    action: str  # on the edge from its parent
    payoffs: tuple[float, ...] = ()
    children: list[_Node] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0


def draw_tree(game: Game, *, largest: int = LARGEST) -> str:
    """The whole tree of a game as SVG text; TooLarge beyond `largest` nodes."""
    root = _build(game, largest)
    nodes = _all_nodes(root)
    gap = _leaf_gap(nodes)
    _place_across(root, gap, MARGIN)
    lanes = _lanes(nodes)
    height = _place_down(nodes, lanes)
    floors = _label_floors(nodes, lanes)
    leaves = sum(not node.children for node in nodes)
    width = MARGIN + gap * max(1, leaves - 1) + _right_margin(nodes, lanes)
    body = [
        *(_edge(node, child) for node in nodes for child in node.children),
        *(line for members, lane in lanes for line in _infoset(members, lane)),
        *(_edge_labels(node, floors) for node in nodes if node.children),
        *(_mark(node) for node in nodes),
    ]
    legend, legend_height = _legend(game)
    below = [f'<g transform="translate(0 {height:.0f})">', *legend, "</g>"]
    return _document(game, width, height + legend_height, [*body, *below])


def write_tree(game: Game, path: Path) -> None:
    """The whole tree of a game as an SVG file."""
    picture = draw_tree(game)
    with replacing(path) as temporary:
        temporary.write_text(picture, encoding="utf-8", newline="\n")


def _build(game: Game, largest: int) -> _Node:
    """The tree as nodes, in order."""
    count = 0
    outcome_count = getattr(game, "outcome_count", None)

    def check(nodes: int) -> None:
        if nodes > largest:
            raise TooLarge(
                f"{game.name} has more than {largest} nodes, too many for a readable picture; choose smaller settings"
            )

    def build(state: Any, action: str, depth: int) -> _Node:
        nonlocal count
        count += 1
        check(count)
        player = game.player(state)
        if player == CHANCE and outcome_count is not None:
            check(count + outcome_count(state))  # before they are listed
        if player == TERMINAL:
            return _Node(player, depth, "", action, tuple(game.returns(state)))
        if player == CHANCE:
            label, moves = (
                "",
                [
                    (outcome, f"{outcome_text(game, outcome)} {Fraction(weight).limit_denominator(1000)}")
                    for outcome, weight in game.outcomes(state)
                ],
            )
        else:
            label = game.infoset(state, player)
            moves = [(choice, action_text(game, choice)) for choice in game.actions(state)]
        children = [build(game.child(state, move), text, depth + 1) for move, text in moves]
        return _Node(player, depth, label, action, children=children)

    return build(game.root(), "", 0)


def _all_nodes(root: _Node) -> list[_Node]:
    """The nodes in preorder."""
    nodes, waiting = [], [root]
    while waiting:
        nodes.append(waiting.pop())
        waiting.extend(reversed(nodes[-1].children))
    return nodes


def _leaf_gap(nodes: list[_Node]) -> float:
    """The distance of terminal nodes: space for the widest payoff and for the actions above neighbours."""
    payoffs = [_number(value) for node in nodes for value in node.payoffs]
    words = [child.action for node in nodes for child in node.children if not child.children]
    return max(30.0, LETTER * max(map(len, payoffs), default=0) + 12, LETTER * max(map(len, words), default=0) + 8)


def _right_margin(nodes: list[_Node], lanes: list[tuple[list[_Node], int]]) -> float:
    """Space for the texts of infosets that end near the right edge."""
    edge = max(node.x for node in nodes)
    texts = (members[-1].x + 8 + LETTER * len(_short(members[0].label)) for members, _ in lanes)
    return MARGIN + max(0.0, max(texts, default=0.0) - edge - MARGIN / 2)


def _place_across(root: _Node, gap: float, left: float) -> None:
    """Terminal nodes side by side, every other node centred over its children."""
    position = left

    def place(node: _Node) -> None:
        nonlocal position
        if not node.children:
            node.x = position
            position += gap
            return
        for child in node.children:
            place(child)
        node.x = (node.children[0].x + node.children[-1].x) / 2

    place(root)


def _lanes(nodes: list[_Node]) -> list[tuple[list[_Node], int]]:
    """Infosets of two or more nodes, each with a lane that is free at its depth."""
    groups: dict[tuple[int, str], list[_Node]] = defaultdict(list)
    for node in nodes:
        if node.player >= 0:
            groups[node.player, node.label].append(node)
    lanes: list[tuple[list[_Node], int]] = []
    taken: dict[int, list[list[tuple[float, float]]]] = defaultdict(list)  # by depth: by lane: stretches
    shared = [sorted(members, key=lambda node: node.x) for members in groups.values() if len(members) > 1]
    for members in sorted(shared, key=lambda members: members[-1].x - members[0].x):
        start, end = members[0].x - 8, members[-1].x + 12 + LETTER * len(_short(members[0].label))
        rows = taken[members[0].depth]
        lane = next((i for i, row in enumerate(rows) if all(end < a or b < start for a, b in row)), len(rows))
        if lane == len(rows):
            rows.append([])
        rows[lane].append((start, end))
        lanes.append((members, lane))
    return lanes


def _place_down(nodes: list[_Node], lanes: list[tuple[list[_Node], int]]) -> float:
    """Set the height of every depth, with space above it for its lanes; return the total height."""
    depths = max(node.depth for node in nodes)
    lane_count = [0] * (depths + 1)
    for members, lane in lanes:
        lane_count[members[0].depth] = max(lane_count[members[0].depth], lane + 1)
    fan = [0.0] * (depths + 2)
    for node in nodes:
        if node.children:
            fan[node.depth + 1] = max(fan[node.depth + 1], node.children[-1].x - node.children[0].x)
    heights, y = [], 30.0
    for depth in range(depths + 1):
        if depth:
            y += 52 + LANE * lane_count[depth] + min(46.0, fan[depth] / 12)
        heights.append(y)
    for node in nodes:
        node.y = heights[node.depth]
    lines = max((len(node.payoffs) for node in nodes), default=0)
    return heights[-1] + 18 + 14 * lines


def _edge(node: _Node, child: _Node) -> str:
    colour = FAINT if node.player == CHANCE else COLOURS[node.player % len(COLOURS)]
    end = child.y - (6 if not child.children else 0)
    return (
        f'<line x1="{node.x:.1f}" y1="{node.y:.1f}" x2="{child.x:.1f}" y2="{end:.1f}" '
        f'stroke="{colour}" stroke-width="1.3" stroke-opacity="0.75"/>'
    )


def _label_floors(nodes: list[_Node], lanes: list[tuple[list[_Node], int]]) -> dict[int, float]:
    """By depth, the height above which the actions on edges clear its nodes and lanes."""
    floors: dict[int, float] = {}
    for node in nodes:
        top = node.y - (RADIUS if node.children else 8.0) - 6
        floors[node.depth] = min(floors.get(node.depth, top), top)
    for members, lane in lanes:
        depth = members[0].depth
        floors[depth] = min(floors[depth], members[0].y - RADIUS - 12 - LANE * lane)
    return floors


def _edge_labels(node: _Node, floors: dict[int, float]) -> str:
    """The actions, each on its edge as low as possible; crowded siblings alternate between two heights."""
    floor = min(floors[child.depth] for child in node.children)
    floor = min(floor, node.y + max(30.0, 0.62 * (node.children[0].y - node.y)))
    along = (floor - node.y) / (node.children[0].y - node.y)
    crowded = any(
        abs(a.x - b.x) * along < LETTER * (len(a.action) + len(b.action)) / 2 + 3
        for a, b in zip(node.children, node.children[1:], strict=False)
    )
    colour = INK if node.player == CHANCE else COLOURS[node.player % len(COLOURS)]
    words = []
    for position, child in enumerate(node.children):
        y = floor - (12 if crowded and position % 2 else 0)
        x = node.x + (child.x - node.x) * (y - node.y) / (child.y - node.y)
        words.append(_text("action", x, y + 2, colour, child.action))
    return "".join(words)


def _text(kind: str, x: float, y: float, colour: str, words: str) -> str:
    """A text with a halo, so that it is readable on top of lines."""
    place = f'class="{kind}" x="{x:.1f}" y="{y:.1f}"'
    halo = f'<text {place} fill="none" stroke="{PAPER}" stroke-width="3.5">{_escaped(words)}</text>'
    return f'{halo}<text {place} fill="{colour}">{_escaped(words)}</text>'


def _escaped(words: str) -> str:
    """A text escaped for XML, which has no control characters."""
    return saxutils.escape(printable(words))


def _short(label: str) -> str:
    return label if len(label) <= 22 else label[:21] + "…"


def _infoset(members: list[_Node], lane: int) -> list[str]:
    """A dashed line over the nodes of an infoset, with a stem to each and the infoset's text at its end."""
    colour = COLOURS[members[0].player % len(COLOURS)]
    y = members[0].y - RADIUS - 6 - LANE * lane
    stems = " ".join(f"M{node.x:.1f} {node.y - RADIUS:.1f}V{y:.1f}" for node in members)
    return [
        f'<g class="infoset" stroke="{colour}"><title>{_escaped(members[0].label)}</title>'
        f'<path d="M{members[0].x:.1f} {y:.1f}H{members[-1].x:.1f}" stroke-dasharray="5 3"/><path d="{stems}"/></g>',
        _text("set", members[-1].x + 5, y + 3, colour, _short(members[0].label)),
    ]


def _mark(node: _Node) -> str:
    x, y = node.x, node.y
    if node.player == TERMINAL:
        return "".join(
            _text("payoff", x, y + 6 + 14 * row, COLOURS[row % len(COLOURS)], _number(value))
            for row, value in enumerate(node.payoffs)
        )
    if node.player == CHANCE:
        points = f"{x:.1f},{y - 9:.1f} {x + 9:.1f},{y:.1f} {x:.1f},{y + 9:.1f} {x - 9:.1f},{y:.1f}"
        shape = f'<polygon points="{points}" fill="{FAINT}" stroke="{PAPER}" stroke-width="1.5"/>'
        return f"<g><title>chance</title>{shape}</g>"
    colour = COLOURS[node.player % len(COLOURS)]
    return (
        f"<g><title>player {node.player}: {_escaped(node.label)}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{colour}" stroke="{PAPER}" stroke-width="1.5"/>'
        f'<text class="player" x="{x:.1f}" y="{y + 4:.1f}">{node.player}</text></g>'
    )


def _legend(game: Game) -> tuple[list[str], float]:
    words = [f'<text class="name" x="16" y="26">{_escaped(getattr(game, "title", "") or game.name)}</text>']
    x = 16.0
    for player in range(game.players):
        colour = COLOURS[player % len(COLOURS)]
        words.append(f'<circle cx="{x + 5:.0f}" cy="44" r="5" fill="{colour}"/>')
        words.append(f'<text class="key" x="{x + 15:.0f}" y="48">player {player}</text>')
        x += 74
    words.append(f'<path d="M{x:.0f} 44h22" stroke="{INK}" stroke-width="1.6" stroke-dasharray="5 3"/>')
    words.append(f'<text class="key" x="{x + 28:.0f}" y="48">one infoset</text>')
    return words, 62.0


def _document(game: Game, width: float, height: float, body: list[str]) -> str:
    width = max(width, 330.0)
    style = (
        "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif}"
        ".action{font-size:11px;text-anchor:middle}.set{font-size:10px;font-style:italic}"
        ".payoff{font-size:11.5px;text-anchor:middle;font-weight:600}"
        ".player{font-size:11px;text-anchor:middle;fill:#fff;font-weight:700}"
        f".name{{font-size:14px;font-weight:700;fill:{INK}}}.key{{font-size:11px;fill:{INK}}}"
        ".infoset path{fill:none;stroke-width:1.6}"
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{_escaped(game.name)}</title>",
            f"<style>{style}</style>",
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            *body,
            "</svg>",
            "",
        ]
    )


def _number(value: float) -> str:
    """A payoff in its shortest exact form: 2, -0.5, 1/3."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value)).replace("-", "−")
    plain = Fraction(value).limit_denominator(1000)
    if float(plain) == value and plain.denominator not in (2, 4, 5, 8, 10, 20, 25, 40, 50, 100):
        return str(plain).replace("-", "−")
    return f"{value:.4g}".replace("-", "−")

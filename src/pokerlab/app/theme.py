"""How every page looks: its colours in dark and light, its header, and the elements that all pages share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nicegui import ui

from pokerlab.app.visitor import Visitor
from pokerlab.display.elements import palette

STATIC = Path(__file__).parent / "static"
SECTIONS = (  # address, name
    ("/spots", "Spots"),
    ("/preflop", "Preflop"),
    ("/train", "Train"),
    ("/play", "Play"),
    ("/laboratory", "Laboratory"),
    ("/matches", "Matches"),
    ("/papers", "Papers"),
    ("/jobs", "Jobs"),
)
LIGHT, DARK = (
    {"bg": "#f3f5f7", "panel": "#ffffff", "raised": "#e9eef2", "line": "#cfd7de", "ink": "#17202a", "dim": "#51606e"}
    | {
        "accent": "#1f5fa8",
        "accent-ink": "#ffffff",
        "felt": "#cfe3d8",
        "felt-edge": "#a9c9b8",
        "warn": "#9a4b00",
        "bad": "#a3243b",
    },
    {"bg": "#10151a", "panel": "#181f26", "raised": "#222b34", "line": "#33404b", "ink": "#e8edf2", "dim": "#a0adb9"}
    | {
        "accent": "#7db8f0",
        "accent-ink": "#0d141b",
        "felt": "#1a4236",
        "felt-edge": "#12291f",
        "warn": "#f0b35b",
        "bad": "#f08a9b",
    },
)


def add_style() -> None:
    """Add the style sheet to all pages."""
    rules = "\n".join(
        f"{where} {{ {' '.join(f'--{name}: {value};' for name, value in colours.items())} }}"
        for where, colours in ((":root, body.body--light", LIGHT), ("body.body--dark", DARK))
    )
    own = (STATIC / "page.css").read_text(encoding="utf-8")
    script = (STATIC / "page.js").read_text(encoding="utf-8")
    head = f"<style>{rules}\n{own}</style><script>{script}</script><meta name='description' content='pokerlab'>"
    ui.add_head_html(head, shared=True)


@contextmanager
def frame(visitor: Visitor, title: str, *, active: str = "") -> Iterator[Any]:
    """The header with links to all sections, and the main part, which is yielded."""
    ui.page_title(f"{title} · pokerlab")
    kept = visitor.recall("theme").get("dark")
    dark = ui.dark_mode(kept if isinstance(kept, bool) else None)
    with ui.element("a").props('href="#main"').classes("skip-link"):
        ui.label("Skip to content").classes("plain")
    with ui.element("header").classes("top"):
        with ui.element("a").props('href="/"').classes("brand"):
            ui.html("<span aria-hidden='true'>♠</span> pokerlab", sanitize=False, tag="span")
        with ui.element("nav").props('aria-label="Sections"').classes("sections"):
            for address, name in linked_sections():
                link = ui.element("a").props(f'href="{address}"')
                if address == active:
                    link.props('aria-current="page"').classes("current")
                with link:
                    text(name, tag="span")

        def toggle(event: Any) -> None:
            now = bool(event.args)
            visitor.remember("theme", {"dark": not now})
            dark.value = not now

        button = (
            ui.button(icon="contrast", color=None)
            .props('flat round dense aria-label="Dark or light"')
            .classes("contrast")
        )
        button.on("click", toggle, js_handler="() => emit(document.body.classList.contains('body--dark'))")
    with ui.element("main").props('id="main" tabindex="-1"').classes("main") as main:
        yield main


def linked_sections() -> list[tuple[str, str]]:
    """The sections whose pages exist."""
    from pokerlab.app.pages import ADDRESSES

    return [section for section in SECTIONS if section[0] in ADDRESSES]


# ---- elements --------------------------------------------------------------------------------------------------------


def text(words: str, *, tag: str = "div", kind: str = "") -> Any:
    """Words as they are, never as HTML."""
    label = ui.label(words) if tag == "div" else ui.element(tag)
    if tag != "div":
        label.text = words
        with label:
            ui.label(words).classes("plain")
    return label.classes(kind) if kind else label


def heading(words: str, level: int = 1) -> Any:
    """A heading."""
    with ui.element(f"h{level}").classes(f"heading level-{level}") as made:
        ui.label(words).classes("plain")
    return made


def dim(words: str) -> Any:
    """Words of less weight."""
    return ui.label(words).classes("dim")


def problem(words: str) -> Any:
    """A message about something wrong."""
    return ui.label(words).classes("problem").props('role="alert"')


def panel(title: str = "", *, kind: str = "") -> Any:
    """A box; a context for its content."""
    box = ui.element("section").classes(f"panel {kind}")
    if title:
        box.props(f'aria-label="{title}"')
        with box:
            heading(title, 2)
    return box


def action_button(words: str, on_click: Any, *, kind: str = "", icon: str = "") -> Any:
    """A button with words."""
    made = ui.button(words, on_click=on_click, icon=icon or None, color=None).props("no-caps unelevated")
    return made.classes(f"act {kind}")


def plot_layout(**more: Any) -> dict[str, Any]:
    """The layout of a plot that suits dark and light."""
    axis = {"gridcolor": "rgba(128,140,150,.25)", "zerolinecolor": "rgba(128,140,150,.4)", "automargin": True}
    axis |= {"exponentformat": "none", "separatethousands": True}
    layout: dict[str, Any] = {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": "#7d8a96", "size": 12},
        "margin": {"l": 56, "r": 12, "t": 12, "b": 44},
        "xaxis": dict(axis),
        "yaxis": dict(axis),
        "colorway": palette.LINES,
        "legend": {"orientation": "h", "y": -0.25},
        "hovermode": "closest",
    }
    for name, value in more.items():
        layout[name] = {**layout.get(name, {}), **value} if isinstance(value, dict) else value
    for name in ("xaxis", "yaxis"):
        if layout[name].get("type") == "log":
            layout[name]["exponentformat"] = "power"
    if isinstance(more.get("title"), dict) and more["title"].get("text"):
        layout["margin"] = {**layout["margin"], "t": 40}
    return layout


def plot(data: list[dict[str, Any]], *, label: str, **layout: Any) -> Any:
    """A plot of Plotly's, described for those who cannot see it."""
    figure = {"data": data, "layout": plot_layout(**layout), "config": {"displaylogo": False, "responsive": True}}
    return ui.plotly(figure).classes("plot").props(f'role="img" aria-label="{label}"')

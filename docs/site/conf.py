"""The settings of Sphinx; docs/site/build.py puts the pages together."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from docs.site import fields
from pokerlab.version import __version__

project = "pokerlab"
author = copyright = "The pokerlab authors"
version = release = __version__
html_title = f"pokerlab {__version__}"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["**.ipynb_checkpoints"]
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True, "sidebar_hide_name": False}
pygments_style, pygments_dark_style = "friendly", "monokai"
highlight_language = "bash"  # of code without a language: the indented command lines

myst_enable_extensions = ["colon_fence", "attrs_block", "attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks are shown as they were run and checked by the tests
nb_render_markdown_format = "myst"

smartquotes = False  # quotation marks are typed as they stand
default_role = "code"  # docstrings write `names` so
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
suppress_warnings = ["misc.highlighting_failure"]


def setup(app: object) -> None:
    """The fields of records, with what is said beside them."""
    app.connect("autodoc-process-docstring", fields.add)  # type: ignore[attr-defined]

# SPDX-License-Identifier: BSD-3-Clause
"""The documentation as a site, built by `scripts/site`: the pages of the repository as they are."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

TREE = Path(__file__).resolve().parents[2]

project = "hypermon"
author = "hypermon authors"
copyright = "2026, hypermon authors"
version = release = re.findall(r'__version__ = "(.+)"', (TREE / "python/hypermon/_version.py").read_text())[0]

extensions = ["myst_nb", "breathe"]
root_doc = "README"
include_patterns = ["*.md", "docs/**", "examples/*/README.md"]
exclude_patterns = ["docs/site/conf.py", "build", ".*", "runs"]
nitpicky = True  # what is referred to must be there
nitpick_ignore_regex = [(r"c(pp)?:identifier", ".*"), ("std:ref", r".*_8h(pp)?")]  # in headers, those of other headers
suppress_warnings = ["duplicate_declaration.cpp"]  # the namespace, of each header

myst_heading_anchors = 4  # links to headings, as code forges have them; one to none is a warning, which is an error
nb_execution_mode = "off"  # scripts/notebook executes the tutorial, tests/python/test_notebooks.py compares

html_theme = "furo"
html_title = f"hypermon {version}"
html_theme_options = {"navigation_with_keys": False}
html_show_search_summary = False  # it would be fetched, which a browser forbids of file://
html_copy_source = False
html_static_path: list[str] = []

CONTENTS = {
    "Tutorials": ["docs/tutorial/*"],
    "How to": ["docs/how-to/*"],
    "Reference": ["docs/reference/*", "docs/site/headers", "docs/versions"],
    "Validation and studies": ["docs/validation", "docs/studies/*"],
    "Design": ["docs/design/README", "docs/design/*"],
    "Examples": ["examples/*/README"],
    "The project": ["CONTRIBUTING", "CHANGELOG", "*"],
}
"""The order of the pages, which on disk are folders. A page that is nowhere here is a warning."""

EXAMPLES = ["examples/own_module", "examples/own_monitor", "examples/own_probe"]
HEADERS = sorted(
    {path.relative_to(TREE).as_posix() for path in (TREE / "sw/include").glob("hypermon*.h")}
    | {
        header
        for folder in EXAMPLES
        for file in (TREE / folder).glob("*.[ch]pp")
        for header in re.findall(r'#include "((?:base|hw|sw|platforms)/[^"]+)"', file.read_text())
    }
)
"""What programs, plug-ins and modules of users include: the C and C++ that is public."""

SHOWN = " ".join(
    [
        *("briefdescription", "detaileddescription", "user-defined"),
        *(f"{access}-{kind}" for access in ("public", "protected") for kind in ("type", "func", "attrib")),
        *("public-static-func", "public-static-attrib", "protected-static-func", "protected-static-attrib"),
        *("friend", "related", "define", "typedef", "enum", "func", "var", "innerclass", "innernamespace"),
    ]
)
"""Of a header, in this order: all but what is private."""

breathe_default_project = "hypermon"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}


def setup(app: Sphinx) -> None:
    app.connect("config-inited", describe_headers, priority=100)  # before Breathe looks
    app.connect("source-read", add_what_is_generated)
    app.connect("build-finished", begin_with_the_readme)


def describe_headers(app: Sphinx, config: Config) -> None:
    """Doxygen's XML of the public headers, whose comments are plain ones."""
    folder = Path(app.doctreedir) / "headers"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    settings = {
        "INPUT": " ".join(HEADERS),
        "FULL_PATH_NAMES": "YES",
        "STRIP_FROM_PATH": TREE,
        "STRIP_FROM_INC_PATH": f"{TREE}/sw/include {TREE}",
        "FORCE_LOCAL_INCLUDES": "YES",
        "OUTPUT_DIRECTORY": folder,
        "GENERATE_HTML": "NO",
        "GENERATE_LATEX": "NO",
        "GENERATE_XML": "YES",
        "XML_PROGRAMLISTING": "NO",
        "EXTRACT_ALL": "YES",
        "EXCLUDE_SYMBOLS": "hypermon::detail",
        "MAX_INITIALIZER_LINES": "1",  # no texts in several parts, which Sphinx cannot read
        "JAVADOC_AUTOBRIEF": "YES",
        "AUTOLINK_SUPPORT": "NO",  # names in comments are words
        "MACRO_EXPANSION": "YES",
        "EXPAND_ONLY_PREDEF": "YES",
        "PREDEFINED": '"HYPERMON_INLINE=static inline"',
        "INPUT_FILTER": f"sed -f {TREE / 'docs/site/comments.sed'}",
        "QUIET": "YES",
        "WARNINGS": "NO",  # every parameter of every function would be asked for
    }
    said = "".join(f"{name} = {value}\n" for name, value in settings.items())
    subprocess.run(["doxygen", "-"], input=said, text=True, check=True, cwd=TREE)
    config.breathe_projects = {"hypermon": str(folder / "xml")}


def add_what_is_generated(_app: Sphinx, name: str, source: list[str]) -> None:
    """The contents of the site follow the README; each header has its part of the page of headers."""
    if name == root_doc:
        for caption, pages in CONTENTS.items():
            lines = "\n".join(f"/{page}" for page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n{lines}\n```\n"
    elif name == "docs/site/headers":
        shown = "\n## `{}`\n\n```{{doxygenfile}} {}\n:sections: {}\n```\n"
        source[0] += "".join(shown.format(header, Path(header).name, SHOWN) for header in HEADERS)


def begin_with_the_readme(app: Sphinx, error: Exception | None) -> None:
    """A browser that opens the folder begins at the README."""
    if error is None:
        page = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=README.html">'
        title = f'<title>{html_title}</title><a href="README.html">{html_title}</a>'
        (Path(app.outdir) / "index.html").write_text(f"{page}{title}\n", encoding="utf-8")

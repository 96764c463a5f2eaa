# SPDX-License-Identifier: BSD-3-Clause
"""The documentation as a site, built by `scripts/site`: the pages of the repository as they are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bs4 import BeautifulSoup

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

project = "hypermon"
author = "hypermon authors"
copyright = "2026, hypermon authors"
version = release = re.findall(r'__version__ = "(.+)"', (TREE / "python/hypermon/_version.py").read_text())[0]

extensions = ["myst_nb", "breathe", "declared"]
root_doc = "README"
include_patterns = ["*.md", "docs/**", "examples/*/README.md"]
exclude_patterns = ["docs/site/*.py", "docs/site/*.js", "docs/site/*.css", "build", ".*", "runs"]
nitpicky = True  # what is referred to must be there
nitpick_ignore_regex = [(r"c(pp)?:identifier", ".*"), ("std:ref", r".*_8h(pp)?")]  # in headers, those of other headers
suppress_warnings = ["duplicate_declaration.cpp"]  # the namespace, of each header

myst_heading_anchors = 4  # links to headings, as code forges have them; one to none is a warning, which is an error
nb_execution_mode = "off"  # scripts/notebook executes the tutorial, tests/python/test_notebooks.py compares

html_theme = "furo"
html_title = f"hypermon {version}"
html_theme_options = {"navigation_with_keys": False}
html_show_search_summary = True  # write_excerpts gives the search page the texts to quote from
html_copy_source = False
html_static_path = ["declared.css"]
html_css_files = ["declared.css"]

INDEX = TREE / "docs/how-to/README.md"
"""The tasks: its headings are the captions of the sidebar, with the pages that it links to below each."""
LOOK_UP = {
    "Look up": ["docs/reference/README", "docs/studies/README", "docs/validation", "docs/design/README"],
    "The project": ["CONTRIBUTING", "CHANGELOG", "docs/versions", "*"],
}
"""The further captions. The three index pages among these pages can be unfolded."""
FOLDERS = ["docs/reference", "docs/studies", "docs/design"]
"""Each has an index page. A page that no index page links to follows at the end of its folder."""

EXAMPLES = ["examples/own_board", "examples/own_module", "examples/own_monitor", "examples/own_probe"]
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
    app.connect("html-page-context", load_excerpts)
    app.connect("build-finished", begin_with_the_readme)
    app.connect("build-finished", write_excerpts)


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
    doxyfile = "".join(f"{name} = {value}\n" for name, value in settings.items())
    subprocess.run(["doxygen", "-"], input=doxyfile, text=True, check=True, cwd=TREE)
    config.breathe_projects = {"hypermon": str(folder / "xml")}


def linked_pages(index: Path) -> dict[str, list[str]]:
    """The pages that an index page links to below each of its headings, in their order."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"^## ", index.read_text(encoding="utf-8"), flags=re.M)[1:]:
        heading, _, text = part.partition("\n")
        links = [(index.parent / link).resolve() for link in re.findall(r"\]\(([^)#:]+)\.(?:md|ipynb)\)", text)]
        found[heading] = [link.relative_to(TREE).as_posix() for link in links]
    return found


def toctree(pages: list[str], *options: str) -> str:
    lines = "\n".join([":hidden:", ":glob:", *options, "", *(f"/{page}" for page in dict.fromkeys(pages))])
    return f"\n```{{toctree}}\n{lines}\n```\n"


def add_what_is_generated(_app: Sphinx, name: str, source: list[str]) -> None:
    """The index pages get the navigation of the site; the page of headers gets a part for each header."""
    folder = name.removesuffix("/README")
    if name == root_doc:
        tasks = linked_pages(INDEX)
        first = next(iter(tasks))
        tasks[first] = [INDEX.relative_to(TREE).with_suffix("").as_posix(), *tasks[first]]
        source[0] += "".join(toctree(pages, f":caption: {caption}") for caption, pages in (tasks | LOOK_UP).items())
    elif folder in FOLDERS:
        linked = [page for pages in linked_pages(TREE / f"{name}.md").values() for page in pages]
        there = {path.with_suffix("").relative_to(TREE).as_posix() for path in (TREE / folder).glob("*.md")}
        source[0] += toctree([*linked, *sorted(there - {name, *linked})])
    elif name == "docs/site/headers":
        shown = "\n## `{}`\n\n```{{doxygenfile}} {}\n:sections: {}\n```\n"
        source[0] += "".join(shown.format(header, Path(header).name, SHOWN) for header in HEADERS)


def load_excerpts(app: Sphinx, pagename: str, _template: str, _context: dict[str, Any], _doctree: object) -> None:
    if pagename == "search":
        app.add_js_file("excerpts.js")


def write_excerpts(app: Sphinx, error: Exception | None) -> None:
    """The texts of all pages as a script of the search page, in place of the pages that Sphinx's search would fetch.

    A browser does not let a page of the file system read another one.
    """
    if error is not None:
        return
    texts = {}
    for page in sorted(app.env.found_docs):
        article = BeautifulSoup((Path(app.outdir) / f"{page}.html").read_text(encoding="utf-8"), "html.parser").article
        for element in article.select(".headerlink, script, style, svg"):
            element.decompose()
        for row in article.select("tr[id]"):
            row.name = "section"  # a parameter's row is a result of its own
        for element in article.find_all(True):
            if element.name != "section":  # a result may be a section: its excerpt is found by its id
                element.unwrap()
        texts[page] = re.sub(r"\s+", " ", article.decode_contents())
    script = (TREE / "docs/site/excerpts.js").read_text(encoding="utf-8")
    script = script.replace("TEXTS", json.dumps(texts, ensure_ascii=False, indent=0))
    (Path(app.outdir) / "_static/excerpts.js").write_text(script, encoding="utf-8")


def begin_with_the_readme(app: Sphinx, error: Exception | None) -> None:
    """A browser that opens the folder begins at the README."""
    if error is None:
        page = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=README.html">'
        title = f'<title>{html_title}</title><a href="README.html">{html_title}</a>'
        (Path(app.outdir) / "index.html").write_text(f"{page}{title}\n", encoding="utf-8")

# SPDX-License-Identifier: BSD-3-Clause
"""Tables of declared names on the site: each row is a card, and a target of links and of the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.domains import Domain, ObjType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docutils.nodes import document
    from sphinx.application import Sphinx

PAGES = {
    "docs/reference/parameters": "parameter",
    "docs/reference/result": "result",
    "docs/reference/counters": "counter",
}
"""The pages whose tables declare names in their first column, with the kind of these names."""


class Declared(Domain):
    """The declared names. Sphinx's search ranks the objects of a domain before the pages that mention them."""

    name = "declared"
    label = "hypermon"
    object_types = {kind: ObjType(kind) for kind in PAGES.values()}  # noqa: RUF012
    initial_data: dict[str, Any] = {"rows": {}}  # noqa: RUF012
    data_version = 1

    @property
    def rows(self) -> dict[tuple[str, str], str]:
        """The targets of the rows, by page and name."""
        found: dict[tuple[str, str], str] = self.data["rows"]
        return found

    def clear_doc(self, docname: str) -> None:
        for row in [row for row in self.rows if row[0] == docname]:
            del self.rows[row]

    def merge_domaindata(self, docnames: Iterable[str], otherdata: dict[str, Any]) -> None:
        self.rows.update({row: target for row, target in otherdata["rows"].items() if row[0] in docnames})

    def get_objects(self) -> Iterable[tuple[str, str, str, str, str, int]]:
        for (page, name), target in self.rows.items():
            yield name, name, PAGES[page], page, target, 1


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_domain(Declared)
    app.connect("doctree-read", mark_rows)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def mark_rows(app: Sphinx, tree: document) -> None:
    """Gives each row of a table of names a target, and each cell the title of its column."""
    page = app.env.docname
    if page not in PAGES:
        return
    declared = app.env.get_domain(Declared.name)
    assert isinstance(declared, Declared)
    for table in tree.findall(nodes.table):
        titles = [entry.astext() for entry in next(table.findall(nodes.thead)).findall(nodes.entry)]
        if titles[0] not in ("parameter", "key", "counter"):
            continue
        table["classes"].append("declared")
        for row in next(table.findall(nodes.tbody)).findall(nodes.row):
            cells = list(row.findall(nodes.entry))
            name = cells[0].astext()
            target = f"{PAGES[page]}-{nodes.make_id(name)}"
            while target in declared.rows.values():
                target += "-"
            row["ids"].append(target)
            declared.rows[page, name] = target
            for title, cell in zip(titles, cells, strict=True):
                cell["classes"].append(title.replace(" ", "-"))
                if not cell.astext():
                    cell["classes"].append("empty")
                elif title != "description":
                    cell.children[0].insert(0, nodes.inline("", f"{title} ", classes=["column"]))

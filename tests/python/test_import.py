# SPDX-License-Identifier: BSD-3-Clause
"""`import hypermon` loads almost nothing: the rest is loaded at first use."""

from __future__ import annotations

import subprocess
import sys

import jedi  # type: ignore[import-untyped]

HEAVY = ("numpy", "pandas", "pyarrow", "xarray", "matplotlib", "plotly", "rich", "hypermon._core")


def test_import_loads_nothing_heavy() -> None:
    code = f"import sys, hypermon; print([m for m in {HEAVY!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "[]"


def test_every_public_name_is_there_and_others_are_not() -> None:
    import hypermon

    assert all(getattr(hypermon, name) is not None for name in hypermon.__all__)
    assert set(hypermon.__all__) <= set(dir(hypermon))
    assert not hasattr(hypermon, "no_such_name")


def test_dir_lists_the_public_names_alone() -> None:
    import hypermon

    assert [name for name in dir(hypermon) if not name.startswith("__")] == sorted(
        name for name in hypermon.__all__ if not name.startswith("__")
    )


def test_an_editor_knows_every_public_name() -> None:
    """Editors read the source and do not run it."""
    import hypermon

    offered = {name.name for name in jedi.Script("import hypermon\nhypermon.").complete(2, len("hypermon."))}
    assert set(hypermon.__all__) - offered == set()


def test_modules_offer_their_public_names_without_further_imports() -> None:
    code = """
import hypermon
modules = {name: getattr(hypermon, name) for name in hypermon._MODULES}
names = {name: set(getattr(module, "__all__", ())) for name, module in modules.items()}
print(sum(map(len, names.values())) > 40)
print([f"{name}.{one}" for name, own in names.items() for one in own if one not in dir(modules[name])])
print([f"{name}.{one}" for name, own in names.items() for one in own if not hasattr(modules[name], one)])
"""
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.splitlines() == ["True", "[]", "[]"]

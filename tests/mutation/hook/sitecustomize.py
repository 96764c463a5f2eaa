# SPDX-License-Identifier: BSD-3-Clause
"""On PYTHONPATH, makes every Python process import one module of hypermon as HYPERMON_MUTATION changes it.

Files are not changed, and compiled files of that module are neither read nor written.
"""

import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

MUTATION = json.loads(os.environ["HYPERMON_MUTATION"])


class Mutated(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        text = self.get_source(fullname) or ""
        if text.count(MUTATION["old"]) != 1:
            raise ImportError(f"{self.path} has {text.count(MUTATION['old'])} times: {MUTATION['old']}")
        return compile(text.replace(MUTATION["old"], MUTATION["new"]), self.path, "exec", dont_inherit=True)


class Finder(MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != MUTATION["module"]:
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is None or found.origin is None:
            return None
        return importlib.util.spec_from_file_location(
            name,
            found.origin,
            loader=Mutated(name, found.origin),
            submodule_search_locations=found.submodule_search_locations,
        )


sys.meta_path.insert(0, Finder())

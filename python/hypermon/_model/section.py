# SPDX-License-Identifier: BSD-3-Clause
"""Base class of the generated parameter classes in `hypermon.parameters`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields

from hypermon._model.schema import Value


class Section(Mapping[str, Value]):
    """The given parameters of one section, as a mapping of their names to their values.

    A field that was not given is None and is not in the mapping: the scenario's value stays in effect.
    """

    def __post_init__(self) -> None:
        from hypermon._model import worker

        schema = worker.schema()
        name_of_class = type(self).__name__
        where = f"hypermon.parameters.{name_of_class}"
        section = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name_of_class).lower()  # ScmsClient becomes scms_client
        for name, raw in list(self.items()):
            value = schema.parameter(f"{section}.{name}", where).parse(raw, where)
            object.__setattr__(self, name, value)  # the class is frozen

    def __getitem__(self, name: str) -> Value:
        if name not in iter(self):
            raise KeyError(name)
        value: Value = getattr(self, name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (field.name for field in fields(self) if getattr(self, field.name) is not None)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.items())})"

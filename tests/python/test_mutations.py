"""The mutations' texts stand in the core; tests/mutation/run, which takes ten minutes, is not part of CI."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutation.mutations import MUTATIONS, Mutation

CORE = Path(__file__).parents[2] / "hw" / "core"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.rule)
def test_what_a_mutation_changes_is_there_once(mutation: Mutation) -> None:
    assert (CORE / mutation.file).read_text().count(mutation.old) == 1

# SPDX-License-Identifier: BSD-3-Clause
"""The software monitor's parameters in general commands."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(sized="software.buffer_bytes", emits=("software",))

# SPDX-License-Identifier: BSD-3-Clause
"""Words of the general parts for the software monitor's parameters."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(sized="software.buffer_bytes", emits=("software",))

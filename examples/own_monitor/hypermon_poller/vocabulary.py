# SPDX-License-Identifier: BSD-3-Clause
"""What hypermon says of the poller's own parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    emits=("poller",),
    slower=("poller.period_ms",),
    targets={"age_p99": "sampling.age_us.p99"},
    labels={"poller.period_ms": "period, ms", "sampling.age_us.p99": "99th percentile of age, us"},
)

"""What the general parts say of the monitor's parameters and results."""

from hypermon._model.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    metrics=("monitor.mean_fetch_s", "monitor.missed_fetches"),
    types={
        "monitor.client.network": "str",
        "monitor.client.is_compute_node": "bool",
    },
)

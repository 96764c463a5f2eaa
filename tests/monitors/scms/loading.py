# SPDX-License-Identifier: BSD-3-Clause
"""A client and plug-ins of the user's."""

FILES = (
    ("scms_client.program", {"monitor": "scms", "scms_client.kind": "program"}),
    ("scms_plugins.own", {"monitor": "scms"}),
)

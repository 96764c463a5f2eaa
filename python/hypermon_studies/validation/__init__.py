# SPDX-License-Identifier: BSD-3-Clause
"""The summary of all published numbers, docs/validation.md (`hypermon study validation`)."""

# SPDX-License-Identifier: BSD-3-Clause
"""The reference pages and the modules that are generated from what the worker declares (`hypermon docs`)."""

# SPDX-License-Identifier: BSD-3-Clause
"""Files: where they lie, how they are read and written whole or not at all. Knows nothing of what is in them."""

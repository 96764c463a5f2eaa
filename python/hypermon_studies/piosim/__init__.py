# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of the paper about HDTrace and PIOsimHD beside hypermon's (`hypermon study piosim`)."""

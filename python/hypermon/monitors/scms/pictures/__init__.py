# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of SCMS/RMS' runs, for papers."""

/* SPDX-License-Identifier: BSD-3-Clause */
#define FRAME_BYTES 4096

// SPDX-License-Identifier: BSD-3-Clause
// The board alone on arrays of strobes, from the first until nothing is left inside.
#pragma once
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame_rows.hpp"
#include "hw/hypermon/core/strobe_arrays.hpp"

namespace hypermon {

/// What a CaptureBoard counts and delivers to its built-in reader, bit for bit; in closed form where there is one.
/// `rows`: receives the frames that are read, in order; null: they are only counted. Throws BadStrobe.
Counts capture_arrays(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
                      const StrobeArrays& strobes, FrameRows* rows);

} // namespace hypermon

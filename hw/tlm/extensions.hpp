// What the generic payload does not say: the pitch of a burst, and a block of frames.
#pragma once
#include "hw/core/stretch.hpp"
#include <tlm>

namespace hypermon {

/// On a WRITE to the strobe side: datum j (as they lie in a Burst) is strobed j * spacing after the annotated time.
/// Without it the transaction carries one datum.
struct BurstExtension : tlm::tlm_extension<BurstExtension> {
  Time spacing;
  bool flag_first = false; ///< Burst::flag_first
  tlm::tlm_extension_base* clone() const override { return new BurstExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const BurstExtension&>(from); }
};

/// On a transaction with TLM_IGNORE_COMMAND to the frame FIFO register: `sink` gets all frames that the board's own
/// reader has read before the annotated time.
struct FramesExtension : tlm::tlm_extension<FramesExtension> {
  FrameSink* sink = nullptr;
  tlm::tlm_extension_base* clone() const override { return new FramesExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const FramesExtension&>(from); }
};

} // namespace hypermon

// What the generic payload does not say: the pitch of a burst, and a block of frames.
#pragma once
#include "hw/core/frame.hpp"
#include <span>
#include <tlm>

namespace hypermon {

/// On a WRITE to the strobe side: datum j (one a byte) is strobed j * spacing after the annotated time. Without it
/// the transaction carries one datum.
struct BurstExtension : tlm::tlm_extension<BurstExtension> {
  Time spacing;
  tlm::tlm_extension_base* clone() const override { return new BurstExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const BurstExtension&>(from); }
};

/// On a transaction with TLM_IGNORE_COMMAND to the frame FIFO register: all frames that the board's own reader has
/// read before the annotated time. The span is valid until the next such transaction.
struct FramesExtension : tlm::tlm_extension<FramesExtension> {
  std::span<const DeliveredFrame> frames;
  tlm::tlm_extension_base* clone() const override { return new FramesExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const FramesExtension&>(from); }
};

} // namespace hypermon

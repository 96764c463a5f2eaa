// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/strobe_delivery.hpp"
#include <bit>
#include <cstring>

namespace hypermon {

StrobeDelivery::StrobeDelivery(const sc_core::sc_module_name& name, std::size_t inputs, std::size_t datum_bytes)
    : sc_module(name), strobe_target("strobe_target"), strobe_initiator("strobe_initiator"), datum_bytes_(datum_bytes),
      inputs_(inputs) {
  require_picoseconds();
  strobe_target.bind(*this);
  SC_HAS_PROCESS(StrobeDelivery);
  SC_METHOD(deliver);
  sensitive << due_;
  dont_initialize();
}

void StrobeDelivery::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto* burst = payload.get_extension<BurstExtension>();
  payload.set_response_status(check_strobes(payload, inputs_.size(), datum_bytes_, burst));
  if (payload.is_response_error()) return;
  const auto input = static_cast<std::uint32_t>(payload.get_address());
  const Time first = absolute(delay);
  const unsigned char* const data = payload.get_data_ptr();
  Input& in = inputs_[input];
  const bool idle = in.pieces.empty();
  in.pieces.push_back({first,
                       burst != nullptr ? burst->spacing : 0_ps,
                       {data, data + payload.get_data_length()},
                       0,
                       burst != nullptr && burst->flag_first});
  if (idle) next_.push({due(in), input});
  if (next_.empty()) return; // an earlier strobe of the input is held
  // An event that is already pending for an earlier time stays.
  due_.notify(to_sc_time(std::max(next_.top().at - to_time(sc_core::sc_time_stamp()), 0_ps)));
}

void StrobeDelivery::follow(const OwnBoard* board, std::function<void(std::uint32_t input)> f) {
  written_ = std::move(f);
  if (board == nullptr || board->room() == nullptr) return;
  board_ = board;
  SC_HAS_PROCESS(StrobeDelivery);
  SC_METHOD(try_held);
  sensitive << *board->room();
  dont_initialize();
}

// After a held strobe the burst continues at its spacing.
Time StrobeDelivery::due(const Input& in) const {
  const Piece& piece = in.pieces.front();
  return piece.datum == 0 ? std::max(piece.first, in.last) : in.last + piece.spacing;
}

void StrobeDelivery::deliver() {
  const Time now = to_time(sc_core::sc_time_stamp());
  while (!next_.empty() && next_.top().at <= now) {
    const auto [at, input] = next_.top();
    next_.pop();
    if (board_ != nullptr && board_->holds(input)) {
      if (held_ == 0) held_since_ = now;
      held_ |= 1u << input;
    } else {
      deliver_next(input, at);
    }
  }
  if (!next_.empty()) due_.notify(to_sc_time(next_.top().at - now));
}

void StrobeDelivery::try_held() {
  const Time now = to_time(sc_core::sc_time_stamp());
  for (std::uint32_t left = held_; left != 0; left &= left - 1) {
    const auto input = static_cast<std::uint32_t>(std::countr_zero(left));
    if (board_->holds(input)) continue;
    held_ &= ~(1u << input);
    held_since_ = now;
    deliver_next(input, now);
  }
  if (!next_.empty()) due_.notify(to_sc_time(next_.top().at - now));
}

void StrobeDelivery::deliver_next(std::uint32_t input, Time at) {
  Input& in = inputs_[input];
  Piece& piece = in.pieces.front();
  const std::span<const std::uint8_t> bytes = std::span(piece.data).subspan(piece.datum * datum_bytes_, datum_bytes_);
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), datum_bytes_);
  const bool flagged = piece.flag_first && piece.datum == 0;
  last_ = in.last = at;
  on_strobe_(input, at, value, flagged);
  tlm::tlm_generic_payload& payload = datum_.payload();
  datum_.extension().spacing = 0_ps;
  datum_.extension().flag_first = flagged;
  set_strobes(payload, input, bytes);
  sc_core::sc_time delay;
  strobe_initiator->b_transport(payload, delay);
  if (++piece.datum * datum_bytes_ == piece.data.size()) in.pieces.pop_front();
  if (!in.pieces.empty())
    next_.push({due(in), input});
  else if (written_)
    written_(input);
}

} // namespace hypermon

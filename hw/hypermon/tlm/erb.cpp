// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/erb.hpp"

namespace hypermon {

Erb::Erb(const sc_core::sc_module_name& name, const ErbParams& params)
    : sc_module(name), strobe_target("strobe_target"), strobe_initiator("strobe_initiator"), params_(params),
      propagation_(to_sc_time(params.propagation_ns)) {
  strobe_target.bind(*this);
}

StrobeFaults* Erb::inject(const FaultParams& faults, std::uint32_t first_node, std::size_t lines,
                          std::int64_t width_bits) {
  if (StrobeFaults::any(faults, params_))
    faults_ = std::make_unique<StrobeFaults>(faults, first_node, lines, width_bits, params_);
  for (std::size_t i = 0; params_.skew_ns > 0 && i < lines; ++i)
    delays_.push_back(
        to_sc_time(ErbLine(params_, first_node + i, static_cast<std::size_t>(width_bits)).strobe_delay()));
  faulty_lines_ = lines;
  return faults_.get();
}

void Erb::b_transport(Payload& payload, sc_core::sc_time& delay) {
  if (faults_) [[unlikely]]
    return pass_faulty(payload, delay);
  delay += delay_of(payload.get_address());
  target_->b_transport(payload, delay);
}

// Sends what the faults leave of a burst as bursts of the ERB's own. The writer does not see that strobes are lost.
void Erb::pass_faulty(Payload& payload, const sc_core::sc_time& delay) {
  const sc_core::sc_time& line_delay = delay_of(payload.get_address());
  sc_core::sc_time later = delay + line_delay;
  const auto* burst = payload.get_extension<BurstExtension>();
  if (check_strobes(payload, faulty_lines_, faults_->datum_bytes(), burst) != tlm::TLM_OK_RESPONSE)
    return strobe_initiator->b_transport(payload, later); // the line has no faults, or the target rejects the write
  auto answer = tlm::TLM_OK_RESPONSE;
  const auto line = static_cast<std::uint32_t>(payload.get_address());
  const Time spacing = burst != nullptr ? burst->spacing : 0_ps;
  const bool flagged = burst != nullptr && burst->flag_first;
  for (const Burst& piece :
       faults_->pass({line, absolute(delay), spacing, {payload.get_data_ptr(), payload.get_data_length()}, flagged})) {
    Payload& own = piece_.payload();
    piece_.extension().spacing = piece.spacing;
    piece_.extension().flag_first = piece.flag_first;
    set_strobes(own, line, piece.data);
    later = annotation(piece.first) + line_delay;
    strobe_initiator->b_transport(own, later);
    if (own.is_response_error()) answer = own.get_response_status();
  }
  payload.set_response_status(answer);
}

} // namespace hypermon

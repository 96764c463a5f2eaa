// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/core/collective.hpp"

namespace hypermon::messages {

void Collective::send(int from, int to, Phase phase, std::int64_t bytes, OperationId cause, const char* algorithm,
                      int step, Wire::Done left) {
  const MessageStep reported{.id = {},
                             .cause = cause,
                             .receivers = {},
                             .algorithm = algorithm,
                             .step = step,
                             .from = process(from),
                             .to = process(to),
                             .bytes = bytes};
  Box& box = boxes_[{to, from, phase}];
  wire_.send(reported, std::move(left), [&box] {
    if (box.awaited.empty()) {
      ++box.arrived;
      return;
    }
    const auto done = std::move(box.awaited.front());
    box.awaited.pop_front();
    done();
  });
}

void Collective::receive(int to, int from, Phase phase, Wire::Done done) {
  Box& box = boxes_[{to, from, phase}];
  if (box.arrived > 0) {
    --box.arrived;
    return done();
  }
  box.awaited.push_back(std::move(done));
}

int Collective::enter(int rank) {
  const int part = ++entered_[static_cast<std::size_t>(rank)];
  std::vector<Waiting> ready;
  std::erase_if(waiting_, [&](Waiting& w) {
    if (!have_entered(w.first, w.last, w.part)) return false;
    ready.push_back(std::move(w));
    return true;
  });
  for (const Waiting& w : ready) w.done();
  return part;
}

} // namespace hypermon::messages

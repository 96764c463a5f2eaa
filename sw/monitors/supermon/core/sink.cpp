// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/sink.hpp"
#include "sw/monitors/supermon/core/compose.hpp"

#include <algorithm>

namespace hypermon::supermon {

Sink::Sink(const Design& design, std::uint32_t number, SinkSetting setting, Surroundings& around,
           const NodeClock& clock)
    : design_(design), setting_(std::move(setting)), around_(around), clock_(clock) {
  setting_.query.sink = number;
}

Time Sink::due() const {
  if (open_) return open_->deadline;
  return is_over() ? Time::never() : date();
}

void Sink::act(Time now, Outbox& out) {
  if (open_) { // the open query was not answered in time
    ++counts_.unanswered;
    return end_query(open_->query.nodes, now);
  }
  ++next_;
  ++counts_.queries;
  open_ = {setting_.query, now, clock_.after(now, (design_.tree.height(design_.tree.root()) + 1) * design_.timeout)};
  open_->query.nodes = drawn(setting_.query.nodes, setting_.sample, number_);
  open_->query.command = around_.command_of(setting_.query.sink, now);
  open_->query.id = ++number_;
  auto text = std::make_shared<const std::string>(write(open_->query));
  const Time cpu = design_.costs.sending(text->size());
  out.push_back({design_.tree.root(), std::move(text), cpu});
}

void Sink::receive(Peer, const Text& message, Time now, Outbox&) {
  const Document document(message);
  const Sexpr answer = document.root();
  if (!answer.is_named("answer")) throw SexprError(answer.at(), "must be an answer");
  counts_.bytes += message->size();
  if (!open_ || answer[1].number() != open_->query.id) {
    ++counts_.late;
    return each_sample(answer, [&](const Sexpr& sample) { around_.lose(serial_of(sample), Loss::late); });
  }
  ++counts_.answers;
  around_.received(setting_.query.sink, *message, now);
  each_sample(answer, [&](const Sexpr& sample) {
    ++counts_.samples;
    around_.arrive(setting_.query.sink, sample, now);
  });
  if (answer.has("combined")) {
    counts_.combined += answer.named("combined")[1].number();
    around_.arrive_combined(open_->query, answer.named("combined"), now);
  }
  const NodeRuns missing = answer.has("missing") ? NodeRuns::read(answer.named("missing")) : NodeRuns();
  const Time took = now - open_->asked;
  counts_.sum += took;
  counts_.longest = std::max(counts_.longest, took);
  if (!counts_.first) counts_.first = took;
  end_query(missing, now);
}

void Sink::gone(Peer, Time now, Outbox&) {
  if (!open_) return;
  ++counts_.unanswered;
  end_query(open_->query.nodes, now);
}

void Sink::end_query(const NodeRuns& missing, Time now) {
  counts_.missing += missing.count();
  for (auto gap = missing_since_.begin(); gap != missing_since_.end();) {
    if (missing.contains(gap->first) || !open_->query.nodes.contains(gap->first)) {
      ++gap;
      continue;
    }
    over_.push_back({gap->first, gap->second, now});
    gap = missing_since_.erase(gap);
  }
  for (const NodeId node : missing.nodes()) missing_since_.try_emplace(node, now);
  around_.answered(setting_.query.sink, open_->query.nodes, missing, now);
  open_.reset();
  for (; date() < now && !is_over(); ++next_) ++counts_.missed;
}

std::vector<Gap> Sink::gaps() const {
  std::vector<Gap> all = over_;
  for (const auto& [node, begin] : missing_since_) all.push_back({node, begin, Time::never()});
  return all;
}

} // namespace hypermon::supermon

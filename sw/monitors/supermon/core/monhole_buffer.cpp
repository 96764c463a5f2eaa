// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/monhole_buffer.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace hypermon::supermon {
namespace {

BufferAmount amount(const Entry& entry) { return {1, entry.text.size()}; }

/// Largest number of entries in a source's buffer.
std::size_t most(const BufferSetting& setting) {
  switch (setting.policy) {
  case BufferPolicy::replace_read:
  case BufferPolicy::replace_drain:
    return 1;
  case BufferPolicy::fill_k_read:
    if (setting.entries == 0) throw std::logic_error("fill_k_read without its K");
    return setting.entries;
  case BufferPolicy::fill_drain:
    break;
  }
  return std::numeric_limits<std::size_t>::max();
}

bool drains(BufferPolicy policy) { return policy == BufferPolicy::fill_drain || policy == BufferPolicy::replace_drain; }

} // namespace

BufferLedger& BufferLedger::operator+=(const BufferLedger& other) {
  generated += other.generated;
  read += other.read;
  overwritten += other.overwritten;
  refused += other.refused;
  died += other.died;
  left_behind += other.left_behind;
  read_again += other.read_again;
  return *this;
}

SinkLedger& SinkLedger::operator+=(const SinkLedger& other) {
  seen += other.seen;
  overwritten += other.overwritten;
  drained += other.drained;
  refused += other.refused;
  died += other.died;
  left_behind += other.left_behind;
  repeated += other.repeated;
  reads += other.reads;
  reads_of_no += other.reads_of_no;
  ages_s += other.ages_s;
  oldest = std::max(oldest, other.oldest);
  return *this;
}

MonholeBuffer::MonholeBuffer(const BufferSetting& setting, std::uint32_t sinks)
    : most_(most(setting)), drains_(drains(setting.policy)), memory_(setting.memory), sinks_(sinks) {}

bool MonholeBuffer::write(Time now, std::string source, std::string text) {
  const auto entry = std::make_shared<const Entry>(Entry{++written_, std::move(source), now, std::move(text)});
  ledger_.generated += amount(*entry);
  auto& own = sources_[entry->source];
  const Entry* const oldest = own.size() == most_ ? kept_.at(own.front()).get() : nullptr;
  const std::size_t bytes = bytes_ + entry->text.size() - (oldest != nullptr ? oldest->text.size() : 0);
  if (memory_ > 0 && bytes > memory_) {
    ledger_.refused += amount(*entry);
    for (Sink& sink : sinks_) sink.ledger.refused += amount(*entry);
    if (!first_refused_) first_refused_ = now;
    return false;
  }
  if (oldest != nullptr) {
    forget(*oldest, End::overwritten);
    kept_.erase(own.front());
    own.pop_front();
  }
  own.push_back(entry->number);
  kept_.emplace_hint(kept_.end(), entry->number, entry);
  bytes_ = bytes;
  if (bytes_ > peak_.bytes) peak_ = {bytes_, kept_.size(), now};
  return true;
}

std::vector<std::shared_ptr<const Entry>> MonholeBuffer::read(Time now, std::uint32_t number) {
  Sink& sink = sinks_.at(number);
  std::vector<std::shared_ptr<const Entry>> found;
  found.reserve(kept_.size());
  bool is_new = false;
  for (const auto& [at, entry] : kept_) {
    found.push_back(entry);
    (at > newest_read_ ? ledger_.read : ledger_.read_again) += amount(*entry);
    if (at <= sink.newest) {
      sink.ledger.repeated += amount(*entry);
      continue;
    }
    is_new = true;
    sink.ledger.seen += amount(*entry);
    sink.ledger.ages_s += (now - entry->written).seconds();
    sink.ledger.oldest = std::max(sink.ledger.oldest, now - entry->written);
  }
  ++sink.ledger.reads;
  if (!is_new) ++sink.ledger.reads_of_no;
  sink.newest = written_;
  newest_read_ = written_;
  if (drains_) forget_all(End::drained);
  return found;
}

std::vector<std::shared_ptr<const Entry>> MonholeBuffer::kept() const {
  std::vector<std::shared_ptr<const Entry>> all;
  for (const auto& [number, entry] : kept_) all.push_back(entry);
  return all;
}

void MonholeBuffer::die() { forget_all(End::died); }

void MonholeBuffer::forget(const Entry& entry, End how) {
  const auto in = [&](auto& ledger) -> BufferAmount& { return how == End::died ? ledger.died : ledger.overwritten; };
  if (entry.number > newest_read_) in(ledger_) += amount(entry);
  for (Sink& sink : sinks_)
    if (entry.number > sink.newest) (how == End::drained ? sink.ledger.drained : in(sink.ledger)) += amount(entry);
}

void MonholeBuffer::forget_all(End how) {
  for (const auto& [number, entry] : kept_) forget(*entry, how);
  kept_.clear();
  sources_.clear();
  bytes_ = 0;
}

BufferLedger MonholeBuffer::ledger() const {
  BufferLedger ledger = ledger_;
  for (const auto& [number, entry] : kept_)
    if (number > newest_read_) ledger.left_behind += amount(*entry);
  return ledger;
}

SinkLedger MonholeBuffer::ledger_of(std::uint32_t number) const {
  const Sink& sink = sinks_.at(number);
  SinkLedger ledger = sink.ledger;
  for (const auto& [at, entry] : kept_)
    if (at > sink.newest) ledger.left_behind += amount(*entry);
  return ledger;
}

} // namespace hypermon::supermon

// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/script_recorder.hpp"
#include "base/text_file.hpp"
#include "sw/mpi/script_call.hpp"

namespace hypermon {
namespace {
constexpr std::size_t actions_at_once = 256;
} // namespace

ScriptRecorder::ScriptRecorder(std::filesystem::path directory, int ranks)
    : directory_(std::move(directory)), ranks_(static_cast<std::size_t>(ranks)), actions_(directory_ / "actions.npy"),
      blocks_(directory_ / "blocks.npy"), lists_(directory_ / "lists.npy") {}

ScriptRecorder::Rank& ScriptRecorder::entry(const RankState& rank) {
  return ranks_[static_cast<std::size_t>(rank.rank)];
}

void ScriptRecorder::leave(const RankState& rank, const MpiCall& call) {
  if (!call.failed()) Call(*this, rank, call).write();
}

void ScriptRecorder::compute(const RankState& rank, Time nominal) {
  Action a;
  a.operation = Operation::compute;
  a.size = nominal.ps();
  add(rank, a);
}

void ScriptRecorder::event(const RankState& rank, unsigned char value) {
  Action a;
  a.operation = Operation::event;
  a.size = value;
  add(rank, a);
}

void ScriptRecorder::emit(const RankState& rank, const std::array<std::uint32_t, 4>& kind_and_data) {
  Action a;
  a.operation = Operation::emit;
  a.list = add_list({kind_and_data.begin(), kind_and_data.end()});
  add(rank, a);
}

void ScriptRecorder::add(const RankState& rank, const Action& action) {
  Rank& own = entry(rank);
  own.block.push_back(action);
  if (own.block.size() == actions_at_once) flush(static_cast<std::size_t>(rank.rank));
}

void ScriptRecorder::flush(std::size_t rank) {
  auto& block = ranks_[rank].block;
  actions_.append(block);
  blocks_.append(static_cast<std::int64_t>(rank));
  blocks_.append(static_cast<std::int64_t>(block.size()));
  block.clear();
}

std::int64_t ScriptRecorder::add_list(const std::vector<std::int64_t>& values) {
  const auto place = static_cast<std::int64_t>(lists_.size());
  lists_.append(static_cast<std::int64_t>(values.size()));
  lists_.append(values);
  return place;
}

std::int64_t ScriptRecorder::shared_list(const std::vector<std::int64_t>& values) {
  const auto found = shared_lists_.find(values);
  if (found != shared_lists_.end()) return found->second;
  return shared_lists_.emplace(values, add_list(values)).first->second;
}

void ScriptRecorder::close() {
  for (std::size_t r = 0; r < ranks_.size(); ++r) flush(r);
  actions_.close();
  blocks_.close();
  lists_.close();
  write_text(directory_ / "operations.txt", [](std::ostream& names) {
    for (const auto name : operation_names) names << name << '\n';
  });
  write_text(directory_ / "lost.tsv", [this](std::ostream& lost) {
    for (const auto& kind : lost_kinds_)
      lost << kind << '\t' << lost_[kind].first << '\t' << lost_[kind].second << '\n';
  });
}

} // namespace hypermon

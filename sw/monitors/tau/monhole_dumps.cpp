// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/monhole_dumps.hpp"
#include "base/text_file.hpp"

namespace hypermon::tau {

using supermon::Sexpr;

std::string write_entry(const ProfileEntry& entry) {
  supermon::SexprWriter out;
  out.open("tau").open("rank").integer(entry.rank).close().open("dump").number(entry.dump).close();
  for (const std::string& path : entry.directories) out.open("mkdir").atom(path).close();
  out.open("file").atom(entry.file).atom(entry.text).close();
  if (!entry.renamed.empty()) out.open("rename").atom(entry.file).atom(entry.renamed).close();
  return out.close().take();
}

ProfileEntry read_entry(const Sexpr& expression) {
  if (!expression.is_named("tau")) throw supermon::SexprError(expression.at(), "must be a profile");
  ProfileEntry entry;
  entry.rank = static_cast<int>(expression.named("rank")[1].number());
  entry.dump = expression.named("dump")[1].number();
  for (const Sexpr part : expression)
    if (part.is_named("mkdir")) entry.directories.push_back(part[1].atom());
  const Sexpr file = expression.named("file");
  entry.file = file[1].atom();
  entry.text = file[2].atom();
  if (expression.has("rename")) entry.renamed = expression.named("rename")[2].atom();
  return entry;
}

std::uint64_t MonholeDumps::send(const Dump& dump) {
  dumps_.push_back({dump});
  return dumps_.size() - 1;
}

void MonholeDumps::put(NodeId node, std::uint64_t entry, bool is_kept) {
  const std::uint64_t number = taking_.at(node);
  numbers_.emplace(std::pair{node, entry}, number);
  dumps_[number].cause = is_kept ? "overwritten" : "refused";
}

void MonholeDumps::arrive(NodeId node, const supermon::Entry& entry, const Sexpr& text, std::uint32_t sink, Time now) {
  UnderWay& own = under_way(node, entry);
  const ProfileEntry profile = read_entry(text);
  if (profile.rank != own.dump.rank || profile.dump != own.dump.number)
    throw std::logic_error("internal error: a profile arrived as another's");
  log_.arrive(own.dump, now, profile.text);
  control_.see(sink, profile.rank, profile.text, now);
  if (std::exchange(own.has_arrived, true)) return;
  for (const std::string& path : profile.directories) files_.try_emplace(path + "/");
  files_[profile.renamed.empty() ? profile.file : profile.renamed] = profile.text;
}

std::vector<supermon::Row> MonholeDumps::rows_of(const Sexpr& text) {
  std::vector<supermon::Row> rows;
  for (const Line& line : parse_profile(read_entry(text).text))
    rows.push_back({line.name,
                    {static_cast<std::int64_t>(line.calls), static_cast<std::int64_t>(line.subroutines),
                     line.exclusive.ps() / 1000, line.inclusive.ps() / 1000}});
  return rows;
}

void MonholeDumps::miss(NodeId node, const supermon::Entry& entry, const char* cause) {
  under_way(node, entry).stage = "tree";
  under_way(node, entry).cause = cause;
}

void MonholeDumps::die(NodeId node, const supermon::Entry& entry) {
  under_way(node, entry).stage = "monhole";
  under_way(node, entry).cause = "died";
}

void MonholeDumps::stay(NodeId node, const supermon::Entry& entry) {
  UnderWay& own = under_way(node, entry);
  if (own.stage == std::string_view("monhole")) own.cause = "left_behind";
}

void MonholeDumps::finish() {
  for (const UnderWay& one : dumps_)
    if (!one.has_arrived) log_.lose(one.dump, one.stage, one.cause);
  for (const auto& [name, text] : files_) {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    if (!name.ends_with('/')) write_text(path, [&text = text](std::ostream& file) { file << text; });
  }
}

} // namespace hypermon::tau

// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/competitors.hpp"
#include "base/user_error.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/index_list.hpp"
#include "hw/machine/several.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace hypermon {
namespace {

/// The processors that a parameter names; empty: all.
std::vector<std::size_t> processors_of(const Spec& spec, const std::string& path, const std::string& text) {
  if (text.empty()) return {};
  const auto named = index_list(path, text, spec.get<CpuParams>().processors, "numbers of a node's processors");
  return {named.begin(), named.end()};
}

/// Processors for the i-th of several processes: all of these or, if bound, one of them in turn.
std::vector<std::size_t> place_of(std::size_t i, std::vector<std::size_t> processors, bool bound, std::int64_t of_all) {
  if (!bound) return processors;
  if (processors.empty()) return {i % static_cast<std::size_t>(of_all)};
  return {processors[i % processors.size()]};
}

CompetitorKind kind_of(const Spec& spec, const CompetitorParams& params, const std::string& path,
                       const std::string& name) {
  CompetitorKind kind{.path = path, .name = params.name.empty() ? name : params.name, .nodes = {}, .threads = {}};
  kind.nodes = all_or_index_list(path + ".nodes", params.nodes, spec.nodes, "numbers of nodes");
  kind.memory_bytes = Bytes(params.memory_mb).number;
  CompetitorDesign design;
  design.task = {.name = kind.name, .priority = static_cast<int>(params.priority), .weight = params.weight};
  design.begin = params.begin_s;
  if (params.end_s > 0) design.end = params.end_s;
  design.busy = params.busy_ms;
  design.sleep = params.sleep_ms;
  const auto processors = processors_of(spec, path + ".processors", params.processors);
  for (std::size_t i = 0; i < static_cast<std::size_t>(params.threads); ++i) {
    design.task.processors = place_of(i, processors, params.bind, spec.get<CpuParams>().processors);
    kind.threads.push_back(design);
  }
  return kind;
}

bool takes_for_ever(const CompetitorDesign& thread) {
  return thread.task.priority > 0 && thread.end == Time::never() && thread.sleep == Time{};
}

/// Checks if threads could occupy all of these processors at once, one processor each.
class Occupation {
public:
  explicit Occupation(std::vector<const TaskDesign*> threads) : threads_(std::move(threads)) {}

  bool is_possible(const std::vector<std::size_t>& processors) {
    holders_.assign(threads_.size(), std::nullopt);
    return std::all_of(processors.begin(), processors.end(), [this](std::size_t p) {
      tried_.assign(threads_.size(), false);
      return find_thread(p);
    });
  }

private:
  /// Finds a thread for the processor. A thread that holds another processor may move here if a further thread can take
  /// its place.
  bool find_thread(std::size_t processor) {
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (tried_[t] || !threads_[t]->may_run_on(processor)) continue;
      tried_[t] = true;
      if (holders_[t] && !find_thread(*holders_[t])) continue;
      holders_[t] = processor;
      return true;
    }
    return false;
  }

  std::vector<const TaskDesign*> threads_;
  std::vector<std::optional<std::size_t>> holders_; // by thread
  std::vector<bool> tried_;
};

std::vector<std::size_t> all_processors(const Spec& spec) {
  std::vector<std::size_t> all(static_cast<std::size_t>(spec.get<CpuParams>().processors));
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

} // namespace

std::vector<CompetitorKind> competitor_kinds(const Spec& spec) {
  const auto& all = spec.get<CompetitorSection>();
  std::vector<CompetitorKind> kinds;
  for (std::size_t c = 0; c < static_cast<std::size_t>(all.count); ++c)
    kinds.push_back(kind_of(spec, all.instance(c), path_of("competitor", all, c),
                            all.count == 1 ? "competitor" : "competitor[" + std::to_string(c) + "]"));
  return kinds;
}

std::vector<std::size_t> rank_processors(const Spec& spec, std::size_t of_node) {
  const auto& cpu = spec.get<CpuParams>();
  return place_of(of_node, processors_of(spec, "cpu.rank_processors", cpu.rank_processors), cpu.bind_ranks,
                  cpu.processors);
}

bool ranks_share_processors(const Spec& spec) {
  const auto& cpu = spec.get<CpuParams>();
  const auto named = processors_of(spec, "cpu.rank_processors", cpu.rank_processors);
  const std::set<std::size_t> own(named.begin(), named.end());
  return cpu.ranks_per_node > (own.empty() ? cpu.processors : static_cast<std::int64_t>(own.size()));
}

void check_that_ranks_run(const Spec& spec) {
  const auto kinds = competitor_kinds(spec);
  std::set<std::vector<const CompetitorKind*>> seen; // kinds seen so far: most nodes have the same kinds as other nodes
  for (std::uint32_t node = 0; node < static_cast<std::uint32_t>(spec.nodes); ++node) {
    std::vector<const CompetitorKind*> here;
    std::vector<const TaskDesign*> threads;
    for (const CompetitorKind& kind : kinds) {
      if (!takes_for_ever(kind.threads.front())) continue;
      if (std::find(kind.nodes.begin(), kind.nodes.end(), node) == kind.nodes.end()) continue;
      here.push_back(&kind);
      for (const CompetitorDesign& thread : kind.threads) threads.push_back(&thread.task);
    }
    if (here.empty() || !seen.insert(here).second) continue;
    for (std::int64_t r = 0; r < spec.get<CpuParams>().ranks_per_node; ++r) {
      auto own = rank_processors(spec, static_cast<std::size_t>(r));
      if (own.empty()) own = all_processors(spec);
      if (!Occupation(threads).is_possible(own)) continue;
      throw UserError(here.back()->path + ".priority = " + std::to_string(here.back()->threads.front().task.priority) +
                      ": must be 0 or less: threads that neither end nor sleep could leave rank " +
                      std::to_string(node * spec.get<CpuParams>().ranks_per_node + r) + " no processor of node " +
                      std::to_string(node));
    }
  }
}

} // namespace hypermon

// SPDX-License-Identifier: BSD-3-Clause
// The nodes' processors in SimGrid: actors compute on them, as hw/machine/cpu.hpp shares them.
//
// A node where nobody shares (no more ranks than processors, nobody beside them) has no Cpu: its ranks compute as if
// there were none. Where somebody does, ranks, daemons and competitors are tasks of the node's Cpu, and the kernel's
// time is told to it. Cpu's instants are SimGrid's timers, and there are only such while an actor waits for one.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/cpu.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hypermon {

class Processors {
public:
  /// With the competitors that the specification names.
  explicit Processors(const Spec& spec);
  Processors(const Processors&) = delete;
  Processors& operator=(const Processors&) = delete;
  ~Processors();

  /// Does the node's Cpu decide who computes when?
  bool is_shared(NodeId node) const { return index(node) < nodes_.size() && nodes_[index(node)] != nullptr; }
  /// From now on. Before the ranks begin.
  void share(NodeId node);
  /// Where a node's i-th rank may run, as TaskDesign says it.
  const std::vector<std::size_t>& of_rank(std::size_t i) const { return of_ranks_[i]; }
  /// A process of the node. Shares the node.
  TaskId add(NodeId node, const TaskDesign& task);

  /// Of a shared node: `worked` is told what its tasks do (Cpu::tell). Before the ranks compute.
  void tell(NodeId node, Cpu::Worked worked) { cpu_of(node).tell(std::move(worked)); }

  /// Takes `nominal` CPU time, true time of this node's processor: the calling actor sleeps until it has had it.
  /// Nothing: until it has a processor.
  void compute(NodeId node, TaskId task, Time nominal);
  /// The task holds on to a processor until further notice: it polls, or its program runs and takes no time.
  void poll(NodeId node, TaskId task);
  /// The task wants no processor until further notice. Tasks want none in the beginning, nor after compute().
  void sleep(NodeId node, TaskId task);
  /// The kernel has a processor of the node until `end`, that where the task is, else the first one; never: until it is
  /// said again. `end` in the past: it has it no more.
  void keep(NodeId node, std::optional<TaskId> task, Time end);

  /// Of a shared node, its accounts as of now.
  const Cpu& cpu(NodeId node);
  bool is_any_shared() const;
  /// Of each node.
  const CpuDesign& design() const { return design_; }

private:
  struct Node;
  Cpu& cpu_of(NodeId node);
  Node& at(NodeId node) { return *nodes_[index(node)]; }
  Time now(const Node& node) const;
  void arm(Node& node);

  CpuDesign design_;
  std::vector<std::vector<std::size_t>> of_ranks_;
  std::vector<std::unique_ptr<Node>> nodes_; // null: not shared
};

} // namespace hypermon

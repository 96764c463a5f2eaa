// SPDX-License-Identifier: BSD-3-Clause
// The nodes' processors in SimGrid, on which actors compute; hw/machine/cpu.hpp does the scheduling.
//
// A node without sharing (no more ranks than processors, no other processes) has no Cpu: its ranks compute undisturbed.
// On a shared node ranks, daemons and competitors are tasks of the node's Cpu, which also receives the kernel's time.
// SimGrid timers drive the Cpu, but only while an actor waits for one of its instants.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/cpu.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace hypermon {

class Processors {
public:
  /// Includes the competitors that the specification names.
  explicit Processors(const Spec& spec);
  Processors(const Processors&) = delete;
  Processors& operator=(const Processors&) = delete;
  ~Processors();

  /// Whether the node's Cpu schedules its processes.
  bool is_shared(NodeId node) const { return index(node) < nodes_.size() && nodes_[index(node)] != nullptr; }
  /// Shares the node from now on. Call this before the ranks begin.
  void share(NodeId node);
  /// The processors on which a node's i-th rank may run, as in TaskDesign.
  const std::vector<std::size_t>& of_rank(std::size_t i) const { return of_ranks_[i]; }
  /// Adds a process to the node, which becomes shared.
  TaskId add(NodeId node, const TaskDesign& task);

  /// `worked` observes the tasks of a shared node (Cpu::observe). Call this before the ranks compute.
  void observe(NodeId node, Cpu::Worked worked) { cpu_of(node).observe(std::move(worked)); }

  /// Takes `nominal` CPU time, in true time of this node's processor: the calling actor sleeps until the task has had
  /// it. With 0 it sleeps until the task has a processor.
  void compute(NodeId node, TaskId task, Time nominal);
  /// The task occupies a processor until further notice: it polls, or its program runs without taking time.
  void poll(NodeId node, TaskId task);
  /// The task no longer requests a processor. Tasks request none initially and after compute().
  void sleep(NodeId node, TaskId task);
  /// The kernel takes a processor of the node until `end`: the one of the task, or the first one. never: until the next
  /// call. If `end` is in the past, the kernel releases the processor.
  void keep(NodeId node, std::optional<TaskId> task, Time end);

  /// The Cpu of a shared node, with its accounts up to now.
  const Cpu& cpu(NodeId node);
  bool is_any_shared() const;
  /// The design of each node's Cpu.
  const CpuDesign& design() const { return design_; }

private:
  struct Node;
  Cpu& cpu_of(NodeId node);
  Node& at(NodeId node) { return *nodes_[index(node)]; }
  Time now(const Node& node) const;
  void arm(Node& node);

  CpuDesign design_;
  std::vector<std::vector<std::size_t>> of_ranks_;
  std::vector<std::unique_ptr<Node>> nodes_; // null: the node is not shared
};

} // namespace hypermon

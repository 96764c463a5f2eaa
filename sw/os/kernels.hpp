// SPDX-License-Identifier: BSD-3-Clause
// The kernels of all computers under programs: what interrupts them, and their ticks.
#pragma once
#include "hw/machine/machine.hpp"
#include "hw/machine/processors.hpp"
#include "sw/os/node_kernel.hpp"
#include "sw/os/work_of.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hypermon {

class Kernels {
public:
  Kernels(const Spec& spec, Machine& machine, Processors& processors, Monitor& monitor);
  Kernels(const Kernels&) = delete; // ranks point to its kernels
  Kernels& operator=(const Kernels&) = delete;

  /// Of the monitored program's nodes, then of its host's and of the neighbours' places.
  NodeKernel& add(Monitor& monitor);
  NodeKernel& of(NodeId node) { return *all_[index(node)]; }
  const NodeKernel& of(NodeId node) const { return *all_[index(node)]; }
  /// Nodes of the monitored program.
  int nodes() const { return nodes_; }
  bool is_instrumented(NodeId node) const { return static_cast<int>(index(node)) < nodes_; }
  /// Computers under programs: the nodes, the host if it has a rank, the neighbours' nodes. A rank is at its kernel's
  /// node(), and that is its Station and the client's node of a FileRequest; of_kernel chooses its network interface.
  std::size_t places() const { return all_.size(); }
  /// Event data of all nodes. The simulation's loop advances it.
  EventVolume& volume() { return volume_; }

  /// Does the monitor record events at all?
  bool records() const { return records_; }
  /// Do nodes emit events of MPI calls: has the catalogue points of them, and does the monitor record?
  bool emits_mpi() const { return emits_mpi_; }
  /// Switches recording on or off on all kernels. It stays off under a monitor that records no events.
  void record(bool on);

  /// Interrupts what runs on the kernel's node, for `work(kernel)`.
  template <class Work> void interrupt(NodeKernel& kernel, Time now, Work&& work, WorkOf of = WorkOf::system) {
    kernel.interrupt(now, work, of);
    if (processors_.is_shared(kernel.node())) keep_processor(kernel, std::nullopt);
  }
  /// From anywhere: the node's kernel is interrupted for `nominal`, before the program; nobody waits for it.
  void interrupt(NodeId node, Time nominal);
  /// From an actor that is no rank's: the node's kernel works for `nominal`, before the program; returns at its end.
  /// `account`: to which that is added.
  void work(NodeId node, Time nominal, BusyTime* account = nullptr);
  /// The kernel has the processor of that task, else the first one, until what it was asked for is done.
  void keep_processor(NodeKernel& kernel, std::optional<TaskId> task);

  Time tick() const { return tick_; }
  /// Starts the ticks of the monitored program's nodes; `after()` follows each of node 0.
  void start_ticks(const std::function<void()>& after);

private:
  void tick_forever(NodeKernel& kernel, const std::function<void()>& after);

  Machine& machine_;
  Processors& processors_;
  int nodes_;
  bool records_;
  Catalogue catalogue_;
  bool emits_mpi_;
  Time tick_;
  EventVolume volume_;
  std::vector<std::unique_ptr<NodeKernel>> all_;
};

} // namespace hypermon

// SPDX-License-Identifier: BSD-3-Clause
// The kernels of all computers that run programs, their interrupts and their ticks.
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
  Kernels(const Kernels&) = delete; // ranks point to their kernels
  Kernels& operator=(const Kernels&) = delete;

  /// Adds a kernel. The order is: the monitored program's nodes, its host, the neighbours' nodes.
  NodeKernel& add(Monitor& monitor);
  NodeKernel& at(NodeId node) { return *all_[index(node)]; }
  const NodeKernel& at(NodeId node) const { return *all_[index(node)]; }
  /// Number of nodes of the monitored program.
  int nodes() const { return nodes_; }
  bool is_instrumented(NodeId node) const { return static_cast<int>(index(node)) < nodes_; }
  /// Number of computers that run programs: the nodes, the host if it has a rank, and the neighbours' nodes. A rank's
  /// place is the node() of its kernel. The same number is its Station and the client's node of a FileRequest;
  /// of_kernel selects the network interface there.
  std::size_t places() const { return all_.size(); }
  /// Event data of all nodes. The simulation's loop advances it.
  EventVolume& volume() { return volume_; }

  /// True if the monitor records events.
  bool records() const { return records_; }
  /// True if nodes emit events for MPI calls: the catalogue has such points, and the monitor records.
  bool emits_mpi() const { return emits_mpi_; }
  /// Switches recording on or off on all kernels. It stays off under a monitor that records no events.
  void record(bool on);

  /// Interrupts the program on the kernel's node for `work(kernel)`.
  template <class Work> void interrupt(NodeKernel& kernel, Time now, Work&& work, WorkOf owner = WorkOf::system) {
    kernel.interrupt(now, work, owner);
    if (processors_.is_shared(kernel.node())) keep_processor(kernel, std::nullopt);
  }
  /// Interrupts the node's kernel for `nominal`, ahead of the program. Can be called from any actor; the caller does
  /// not wait.
  void interrupt(NodeId node, Time nominal);
  /// Like interrupt(), for an actor that is no rank: returns when the work has ended. `account`: gets the work added.
  void work(NodeId node, Time nominal, BusyTime* account = nullptr);
  /// The kernel keeps the task's processor, or the first one if there is no task, until its requested work is done.
  void keep_processor(NodeKernel& kernel, std::optional<TaskId> task);

  Time tick() const { return tick_; }
  /// Starts the ticks of the monitored program's nodes. `after()` is called after each tick of node 0.
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

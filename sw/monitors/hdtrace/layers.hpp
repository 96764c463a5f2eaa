// SPDX-License-Identifier: BSD-3-Clause
// PVFS2HD and MPICH2HD (HDTrace sec. 2.1): traces operations in the layers of the file system's client and servers,
// each with the operation that caused it, the number of pending operations, and the messages of collective calls.
#pragma once
#include "hw/packets/core/io_observer.hpp"
#include "sw/monitors/hdtrace/processes.hpp"

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

namespace hypermon::hdtrace {

class Layers final : public IoObserver {
public:
  /// `places`: number of computers that run programs. They are the first stations, and servers have the stations after
  /// them.
  ///
  /// `interrupt`: occupies a node's processor for the traced library of a client.
  ///
  /// `traffic`: traffic of a station's interfaces.
  /// `traffic`: of a station's interfaces.
  using Interrupt = std::function<void(NodeId node, Time work)>;
  using TrafficOf = std::function<InterfaceTraffic(Station at)>;
  Layers(Recording& recording, Processes& processes, std::size_t places, Interrupt interrupt, TrafficOf traffic)
      : recording_(recording), processes_(processes), places_(places), interrupt_(std::move(interrupt)),
        traffic_(std::move(traffic)) {}

  void begins(Time now, const IoStep& step) override;
  void begins(Time now, const MessageStep& step) override;
  void ends(Time now, OperationId id) override;
  void pending(Time now, IoLayer layer, Station at, std::int64_t operations) override;
  void busy(Time now, Station at, Part part, bool works) override;
  /// The run is over: completes the files.
  void close(Time now);

  /// Result of one layer at one place.
  struct Summary {
    Path path{};
    std::uint64_t operations = 0;
    std::uint64_t unfinished = 0;
    std::uint64_t unrelated = 0; ///< operations whose cause is in no file
    std::int64_t most_pending = 0;
    Time time{}; ///< summed over operations
  };
  std::vector<Summary> summaries() const;
  /// Layers of each server host.
  std::map<std::string, std::vector<std::string>> servers() const;
  /// Layers below each process, by rank.
  std::map<int, std::vector<std::string>> clients() const;
  std::vector<std::string> groups() const;
  std::vector<const Metered*> server_power() const;

private:
  struct Layer {
    Path path;
    std::int64_t topology;
    std::int64_t process; ///< process number in the operating system
    std::size_t computer; ///< the computer whose clock it uses
    Output output;
    Summary summary;
    std::uint64_t next = 0;
  };
  struct Operation {
    Layer* layer;
    std::uint64_t number;
    int rank; ///< rank that the client works for; -1: a server's operation
    Time begin;
    bool open = true;
  };
  struct Pending {
    std::unique_ptr<StatisticsFile> file;
    std::size_t computer;
    std::string host;
    std::int64_t most = 0;
  };
  struct Message {
    int from;
    std::uint64_t sender_call;
    std::size_t place; ///< index in the sender's nested
    int to;
    std::int64_t bytes;
    std::int32_t step;
    const char* algorithm;
    Time begin;
    Time left; ///< by the sender's clock
  };
  struct Utilization { // since the begin of the run
    Time computing;
    Time nic;
    Time disk;
    InterfaceTraffic traffic;
    std::int64_t read = 0; // from its disk
    std::int64_t written = 0;
  };
  struct Server {
    std::unique_ptr<Metered> power;
    std::unique_ptr<StatisticsFile> utilization;
    Utilization now; // only the bytes that the disk moved
    Utilization before;
  };
  struct DiskOperation {
    Station at;
    FileRequest::Kind kind;
    std::int64_t bytes;
  };

  bool opens_up(const Process& process) const {
    return recording_.params().nested && process.call != 0 && process.opens_up;
  }
  Layer& layer(const IoStep& step, int rank);
  std::string host(Station at) const;
  std::size_t computer(Station at) const { return static_cast<std::size_t>(at); }
  bool is_node(Station at) const { return computer(at) < recording_.nodes(); }
  Metered& power(Station at);
  void sample(Station at, Time end, const Computer& computer);
  void disk_operation_ends(Time now, const DiskOperation& operation);
  std::string cause(const Layer& own, OperationId id, Time now, int& rank);
  void write(Layer& layer, const std::string& text, std::uint64_t events);

  Recording& recording_;
  Processes& processes_;
  std::size_t places_;
  Interrupt interrupt_;
  TrafficOf traffic_;
  std::map<Path, std::unique_ptr<Layer>> layers_;
  std::vector<Layer*> in_order_;
  std::unordered_map<std::uint64_t, Operation> operations_;
  std::unordered_map<std::uint64_t, DiskOperation> disk_operations_; // under way
  std::unordered_map<std::uint64_t, Message> messages_;
  std::map<std::pair<Station, IoLayer>, Pending> pending_;
  std::map<Station, Server> servers_;
};

} // namespace hypermon::hdtrace

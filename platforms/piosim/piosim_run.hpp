// A platform of packets in a run: its network and its file system, advanced with SimGrid's clock.
#pragma once
#include "sw/model/io_observers.hpp"
#include "sw/model/packet_network.hpp"
#include "sw/model/parallel_file_system.hpp"
#include "sw/model/spec.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <memory>

namespace hypermon {

class PiosimRun {
public:
  /// `places`: computers under programs, which are its first stations.
  PiosimRun(const Spec& spec, std::size_t places, const IoObservers& observers);
  ~PiosimRun();
  PiosimRun(const PiosimRun&) = delete;
  PiosimRun& operator=(const PiosimRun&) = delete;

  PacketNetwork& network();
  /// Null: pfs.servers = 0.
  ParallelFileSystem* files();
  /// Something goes on in it.
  bool under_way() const;
  void report(nlohmann::ordered_json& result) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Null: packets.network = off.
std::unique_ptr<PiosimRun> make_piosim(const Spec& spec, std::size_t places, const IoObservers& observers);

} // namespace hypermon

// SPDX-License-Identifier: BSD-3-Clause
// File servers by name (section `server`). Each is at a place, is reached over one network, and keeps its files on its
// own disk. A request travels to the server, waits for its turn and for the disk; then the reply comes back.
#pragma once
#include "hw/machine/networks.hpp"
#include "hw/machine/storage.hpp"

namespace hypermon {

class Servers {
public:
  Servers(const Spec& spec, Networks& networks);
  ~Servers();
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  std::size_t count() const;
  const std::string& name(ServerId server) const;
  NetworkId network(ServerId server) const;
  const Place& place(ServerId server) const;
  /// The server of that name. Throws UserError with `path`, the parameter that names it, and the list of servers.
  ServerId named(const std::string& name, const std::string& path) const;

  // --- from an actor -------------------------------------------------------------------------------------------------
  /// Appends to the file, which is empty at first. Returns when the server's acknowledgement has arrived; the bytes are
  /// then on its disk. Throws std::logic_error if the place does not reach the server's network (Places::check_reaches
  /// with network(server)).
  void write(ServerId server, const Place& from, const std::string& file, std::int64_t bytes);
  /// Reads the next `bytes` of the file after those that this place has read; fewer at the end of the file. Returns
  /// their number when the last of them has arrived.
  std::int64_t read(ServerId server, const Place& from, const std::string& file, std::int64_t bytes);
  /// The place will read the file from its beginning again.
  void rewind(ServerId server, const Place& from, const std::string& file);

  /// Counts of the server and its disk.
  const StorageCounts& counts(ServerId server) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace hypermon

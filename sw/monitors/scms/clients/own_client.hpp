// SPDX-License-Identifier: BSD-3-Clause
// A client of the user's own: a shared object (sw/include/hypermon_rmi.h).
#pragma once
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

#include <string>

struct hypermon_rmi;

namespace hypermon::scms {

class OwnClient {
public:
  /// `log`: the file into which it says things. Throws UserError by `path`, the parameter that names it, if the object
  /// is no client.
  OwnClient(const std::string& file, const std::string& path, std::string log);

  /// In a daemon's body. What it returns. Throws UserError if it crashes.
  int run(Daemon& self, Wiring& wiring, Peer client, const Plugins& plugins, const ScmsClientParams& params,
          std::int64_t nodes) const;

private:
  std::string path_;
  std::string file_;
  std::string log_;
  int (*client_)(const hypermon_rmi*) = nullptr;
};

} // namespace hypermon::scms

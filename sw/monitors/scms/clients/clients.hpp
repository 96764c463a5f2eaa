// Clients of SCMS/RMS on the front end.
#pragma once
#include "sw/model/site.hpp"
#include "sw/model/spec.hpp"
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <vector>

namespace hypermon::scms {

class Clients {
public:
  /// At the run's begin. References must live longer.
  void start(const Spec& spec, Site& site, Wiring& wiring, const Plugins& plugins);
  nlohmann::ordered_json report() const;

private:
  struct Client {
    ScmsClientParams params;
    NodeSet nodes;
    ResourceVector resources;
    std::uint64_t answers = 0;
    std::uint64_t values = 0;
    std::uint64_t missing = 0;
    Time waited;
    Time longest;
    Time ages;
    Time oldest;
  };
  static void ask(Daemon& self, Wiring& wiring, Client& client, Peer peer);

  std::vector<std::unique_ptr<Client>> all_;
};

} // namespace hypermon::scms

// SPDX-License-Identifier: BSD-3-Clause
// Runs actors on a machine without a program, in a child process.
#pragma once
#include "hw/machine/servers.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include "tests/catch.hpp"

#include <simgrid/s4u/Actor.hpp>

namespace hypermon::test {

using Body = std::function<void(Networks&, Servers&, std::vector<double>&)>;

/// The actors run from time 0 on; each writes into so many values.
inline std::vector<double> run_actors_here(const Spec& spec, std::size_t values, const std::vector<Body>& actors) {
  TestEngine engine(spec);
  Machine machine(spec);
  Networks networks(spec, machine);
  Servers servers(spec, networks);
  std::vector<double> result(values, -1);
  for (const Body& body : actors)
    simgrid::s4u::Actor::init("actor", machine.node(NodeId{0}))->start([&] { body(networks, servers, result); });
  engine.run();
  return result;
}

inline std::vector<double> run_actors(const Spec& spec, std::size_t values, const std::vector<Body>& actors) {
  const auto child = in_child([&] { return run_actors_here(spec, values, actors); });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  REQUIRE(child.values.size() == values);
  return child.values;
}

} // namespace hypermon::test

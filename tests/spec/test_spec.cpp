// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_parameter.hpp"
#include "base/recording.hpp"
#include "base/sha256.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/params.hpp"
#include "tests/spec/error_of.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

using namespace hypermon;
using namespace hypermon::test;

TEST_CASE("what is not given has its default, what is given is taken") {
  const Spec spec = spec_from_json(Json::parse(R"({"nodes": 4, "node": {"tick_ms": 40}})"));
  CHECK(spec.nodes == 4);
  CHECK(spec.get<NodeParams>().tick_ms.number == 40);
  CHECK(spec.get<NodeParams>().clock_drift_ppm == Spec{}.get<NodeParams>().clock_drift_ppm);
}

TEST_CASE("a specification written and read again is the same") {
  Spec spec;
  spec.nodes = 16;
  spec.get<MachineParams>().messages = Messages::smpi;
  spec.get<NodeParams>().clock_drift_ppm = 11.06;
  const Json json = to_json(spec);
  CHECK(to_json(spec_from_json(json)) == json);
}

TEST_CASE("an error names the parameter's path, its value and what is allowed") {
  CHECK(says(error_of(R"({"nodes": 3})"), "a power of two"));
  CHECK(says(error_of(R"({"nodes": 8192})"), "1 to 4096"));
  CHECK(error_of(R"({"nodes": 4096})").empty());
  CHECK(says(error_of(R"({"nodes": 2.5})"), "must be int"));
  CHECK(says(error_of(R"({"monitor": "no such"})"), R"(monitor = "no such": must be string, one of )"));
  CHECK(says(error_of(R"({"node": {"clock_drift_ppm": -1}})"), "node.clock_drift_ppm = -1"));
}

TEST_CASE("the nodes' events depend on the seed and the machine, but not on limits") {
  const auto emissions = [](const char* text) { return emission_parameters(spec_from_json(Json::parse(text))); };
  const Json those = emissions("{}");
  CHECK(emissions(R"({"limits": {"host_s": 5}})") == those);
  for (const char* other : {R"({"seed": 5})", R"({"node": {"tick_ms": 40}})"}) CHECK(emissions(other) != those);
}

TEST_CASE("an unknown key is refused with the nearest valid one") {
  CHECK(says(error_of(R"({"node": {"tik_ms": 40}})"), "did you mean node.tick_ms?"));
  CHECK(says(error_of(R"({"node": 4})"), "did you mean nodes?"));
}

TEST_CASE("what networks, servers, disks and neighbours may differ in is said with the parameter") {
  std::set<std::string> same;
  for (const auto& p : describe_parameters()) {
    const auto path = p["path"].get<std::string>();
    INFO(path);
    const bool several = std::set<std::string_view>{"lan", "server", "disk", "neighbour"}.contains(section_of(path));
    if (several && !p.contains("several")) same.insert(path);
  }
  CHECK(same == std::set<std::string>{"lan.count", "neighbour.count", "server.count"});
}

TEST_CASE("every parameter has a description and a source, and a path of its own") {
  std::set<std::string> paths;
  for (const auto& p : describe_parameters()) {
    INFO(p["path"]);
    CHECK(paths.insert(p["path"].get<std::string>()).second);
    CHECK(!p["description"].get<std::string>().empty());
    CHECK(!p["source"].get<std::string>().empty());
  }
  CHECK(paths.size() > 50);
}

namespace {
std::string digest_of(const std::string& text) {
  Sha256 digest;
  digest.add({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  return digest.hex();
}
} // namespace

TEST_CASE("SHA-256 gives the values of FIPS 180-4's examples, of one block and of two") {
  CHECK(digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("a file that changed after it was specified is refused, by its parameter") {
  const std::string path = testing::scratch_path("@");
  std::ofstream(path) << "abc";
  Spec spec;
  auto& machine = spec.get<MachineParams>();
  machine.topology = Topology::xml;
  machine.messages = Messages::smpi;
  machine.xml = path + "@sha256:" + digest_of("abc");
  CHECK(spec_from_json(to_json(spec)).get<MachineParams>().xml == machine.xml);
  CHECK(file_parameter(machine.xml)->path == path);
  CHECK_NOTHROW(check_files(spec));
  std::ofstream(path) << "abd";
  const auto message = [&] {
    try {
      check_files(spec);
    } catch (const UserError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(says(message(), "machine.xml = " + path + ": its content has changed"));
  std::remove(path.c_str());
  CHECK(says(message(), "cannot be read: No such file"));
}

TEST_CASE("a file's parameter is a path with its digest, or empty") {
  CHECK(says(error_of(R"({"machine": {"xml": "a.xml"}})"), "machine.xml = \"a.xml\": must be string, \"/path@sha256"));
  CHECK(error_of(R"({"machine": {"xml": ""}})").empty());
}

TEST_CASE("the number of nodes fits the topology") {
  CHECK(says(error_of(R"({"nodes": 12})"), "nodes = 12: must be a power of two with machine.topology = \"hypercube\""));
  CHECK(says(error_of(R"({"nodes": 8, "machine": {"topology": "torus", "dimensions": "3x3"}})"),
             "nodes = 8: must be the product of machine.dimensions = \"3x3\", 9"));
  CHECK(error_of(R"({"nodes": 12, "machine": {"topology": "fat_tree", "dimensions": "4x3;1x2"}})").empty());
  CHECK(error_of(R"({"nodes": 7, "machine": {"topology": "star"}})").empty());
  for (const char* dimensions : {"", "3", "3x", "x3", "0x3", "3x3x", "3 x 1", "3;1", "-3x-1", "99999999999x1"})
    CHECK(says(error_of((R"({"nodes": 1, "machine": {"topology": "torus", "dimensions": ")" + std::string(dimensions) +
                         R"("}})")
                            .c_str()),
               std::string(dimensions) == "3" ? "nodes = 1" : "must be like 4x4x4"));
  CHECK(says(error_of(R"({"nodes": 4, "machine": {"topology": "fat_tree", "dimensions": "2x2;1"}})"), "like 16x4"));
}

TEST_CASE("SimGrid's options are read before SimGrid sees them") {
  const auto refused = [](const std::string& name, const std::string& value) {
    return says(error_of((R"({"smpi": {")" + name + R"(": ")" + value + R"("}})").c_str()),
                "smpi." + name + " = \"" + value + "\": must");
  };
  for (const char* pieces :
       {"0", "0:1", "0:1:2:3", "0:a:b", "8:1:2;0:1:2", "0:1:2;", "0:-1:0", "0:1:2;0:1:2", "0:nan:0"})
    CHECK(refused("send_cost", pieces));
  CHECK(error_of(R"({"smpi": {"send_cost": "0:1e-6:0;1024:2e-6:1e-10"}})").empty());
  CHECK(refused("latency_factor", "0:1:2"));
  CHECK(error_of(R"({"smpi": {"latency_factor": "0:1.5;65536:11.6"}})").empty());
  CHECK(refused("async_small_thresh", "-1"));
  CHECK(
      says(error_of(R"({"smpi": {"async_small_thresh": "9", "send_is_detached_thresh": "8"}})"), "must not be above"));
}

TEST_CASE("a SimGrid file has SimGrid's messages") {
  CHECK(says(error_of(R"({"machine": {"topology": "xml"}})"), "machine.xml = \"\": must name a file"));
  const std::string file = R"("topology": "xml", "xml": "/a.xml@sha256:)" + std::string(64, '0') + '"';
  CHECK(says(error_of((R"({"machine": {)" + file + "}}").c_str()), "machine.messages = \"nx2\": must be smpi"));
}

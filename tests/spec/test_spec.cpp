#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "sw/model/file_parameter.hpp"
#include "sw/model/json.hpp"
#include "sw/model/recording.hpp"
#include "sw/model/sha256.hpp"
#include "sw/model/user_error.hpp"
#include "sw/workloads/program/params.hpp"

#include "tests/catch.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

using namespace hypermon;
using Json = nlohmann::ordered_json;

namespace {

std::string error_of(const char* text) {
  try {
    spec_from_json(Json::parse(text));
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

} // namespace

TEST_CASE("what is not given has its default, what is given is taken") {
  const Spec spec = spec_from_json(Json::parse(R"({"nodes": 4, "ecb": {"window_ns": 400}})"));
  CHECK(spec.nodes == 4);
  CHECK(spec.get<EcbSection>().window_ns == 400);
  CHECK(spec.get<EcbSection>().frame_fifo_frames == Spec{}.get<EcbSection>().frame_fifo_frames);
}

TEST_CASE("a specification written and read again is the same") {
  Spec spec;
  spec.nodes = 16;
  spec.get<ReaderParams>().kind = "group";
  spec.get<PortParams>().nibble_cost_ns = 11060;
  const Json json = to_json(spec);
  CHECK(to_json(spec_from_json(json)) == json);
}

TEST_CASE("an error names the parameter's path, its value and what is allowed") {
  const std::string window = error_of(R"({"ecb": {"window_ns": 30}})");
  CHECK(says(window, "ecb.window_ns = 30"));
  CHECK(says(window, "a multiple of 50"));
  CHECK(says(error_of(R"({"ecb": {"window_ns": 70}})"), "a multiple of 50")); // within its range
  CHECK(says(error_of(R"({"nodes": 3})"), "a power of two"));
  CHECK(says(error_of(R"({"nodes": 8192})"), "1 to 4096"));
  CHECK(says(error_of(R"({"nodes": 2.5})"), "must be int"));
  CHECK(says(error_of(R"({"monitor": "nobody"})"), "one of none, software, hypermon"));
  CHECK(says(error_of(R"({"port": {"delay": -1}})"), "port.delay = -1"));
}

TEST_CASE("the ends of a range are in it") {
  for (const char* in : {R"({"nodes": 1})", R"({"nodes": 4096})", R"({"ecb": {"inputs": 32}})"})
    CHECK(error_of(in).empty());
  CHECK(!error_of(R"({"ecb": {"inputs": 33}})").empty());
}

TEST_CASE("a stream, which nobody decodes, has no garbage") {
  CHECK(error_of(R"({"workload": "stream", "faults": {"garbage_frames": 1}})")
            .starts_with("faults.garbage_frames = 1: must be 0 with workload = stream"));
}

TEST_CASE("what nodes write depends on nothing behind their ports, on no limit, and on their own workload alone") {
  const auto emissions = [](const char* text) {
    Json json = Json::parse(text);
    json["workload"] = "generator";
    return emission_parameters(spec_from_json(json));
  };
  const Json those = emissions("{}");
  for (const char* same :
       {R"({"limits": {"host_s": 5}})", R"({"pbx": {"word_ns": 500}})", R"({"place": {"attempts": 5}})"})
    CHECK(emissions(same) == those);
  for (const char* other : {R"({"seed": 5})", R"({"port": {"delay": 30}})", R"({"generator": {"events": 5}})"})
    CHECK(emissions(other) != those);
}

TEST_CASE("hardware acts back if one board stalls, or if it sends to the host") {
  CHECK(!acts_back(spec_from_json(Json::parse(R"({"nodes": 32})"))));
  CHECK(acts_back(spec_from_json(Json::parse(R"({"nodes": 32, "ecb[1]": {"node_fifo_full": "stall"}})"))));
  CHECK(!acts_back(spec_from_json(Json::parse(R"({"monitor": "none", "ecb": {"node_fifo_full": "stall"}})"))));
}

TEST_CASE("an unknown key is refused with the nearest valid one") {
  CHECK(says(error_of(R"({"ecb": {"windw_ns": 400}})"), "did you mean ecb.window_ns?"));
  CHECK(says(error_of(R"({"node": 4})"), "did you mean nodes?"));
}

TEST_CASE("a board's own parameters are its own, the others are those of all boards") {
  const Spec spec = spec_from_json(
      Json::parse(R"({"nodes": 64, "ecb[2]": {"window_ns": 400}, "ecb": {"window_ns": 200, "builder_cycles": 9}})"));
  REQUIRE(boards_of(spec) == static_cast<std::size_t>(64 / EcbParams{}.inputs));
  for (std::size_t board = 0; board < boards_of(spec); ++board) {
    INFO(board);
    CHECK(ecb_of(spec, board).window_ns == (board == 2 ? 400 : 200));
    CHECK(ecb_of(spec, board).builder_cycles == 9);
    CHECK(ecb_of(spec, board).inputs == spec.get<EcbSection>().inputs);
  }
}

TEST_CASE("boards are given nested or by path, and each may differ") {
  const Spec spec = spec_from_json(Json::parse(
      R"({"nodes": 4, "ecb": {"inputs": 1}, "ecb[0].wrap_frames": true, "ecb[3]": {"timestamp_bits": 8}})"));
  CHECK(ecb_of(spec, 0).wrap_frames);
  CHECK(!ecb_of(spec, 3).wrap_frames);
  CHECK(ecb_of(spec, 3).timestamp_bits == 8);
  CHECK(ecb_of(spec, 0).timestamp_bits == EcbParams{}.timestamp_bits);
}

TEST_CASE("the resolved specification holds what a board has otherwise than all, and nothing else") {
  const Json json = to_json(spec_from_json(
      Json::parse(R"({"nodes": 64, "ecb": {"window_ns": 400}, "ecb[1].window_ns": 400, "ecb[2].window_ns": 800})")));
  CHECK(json["ecb[2]"] == Json{{"window_ns", 800}});
  CHECK(!json.contains("ecb[1]"));
  CHECK(to_json(spec_from_json(json)) == json);
}

TEST_CASE("a board that the machine does not have is refused with those that it has") {
  const std::string own = R"("ecb[2]": {"window_ns": 400}})";
  CHECK(error_of((R"({"nodes": 4, "ecb": {"inputs": 2}, )" + own).c_str()) ==
        "ecb[2].window_ns = 400: no such board; nodes = 4 with ecb.inputs = 2 need boards 0 to 1");
  CHECK(error_of((R"({"nodes": 4, "ecb": {"inputs": 1}, )" + own).c_str()).empty());
  // 4 nodes on boards of 3 inputs: the second board has one node.
  CHECK(error_of(R"({"nodes": 4, "ecb": {"inputs": 3}, "ecb[1].window_ns": 400})").empty());
  CHECK(says(error_of(R"({"nodes": 4, "ecb": {"inputs": 3}, "ecb[2].window_ns": 400})"), "need boards 0 to 1"));
  CHECK(says(error_of(R"({"ecb[99999999999999999999].window_ns": 400})"), "no such board"));
}

TEST_CASE("a mistake in a board's own parameters is named with the board") {
  CHECK(says(error_of(R"({"ecb[0].window_ns": 30})"), "ecb[0].window_ns = 30: must be int, 50 to 1000000000"));
  CHECK(says(error_of(R"({"ecb[0].windw_ns": 400})"), "did you mean ecb[0].window_ns?"));
  CHECK(error_of(R"({"ecb[0].inputs": 8})") == "ecb[0].inputs = 8: is the same on all boards; set ecb.inputs");
  CHECK(error_of(R"({"ecb[0].reset_skew_ns": 8})") ==
        "ecb[0].reset_skew_ns = 8: is the same on all boards; set ecb.reset_skew_ns");
  CHECK(says(error_of(R"({"pbx[0].word_ns": 500})"), "no such parameter; did you mean pbx.word_ns?"));
  for (const char* path : {"ecb[].window_ns", "ecb[-1].window_ns", "ecb[00].window_ns", "ecb[0x].window_ns", "ecb[0"})
    CHECK(says(error_of((std::string(R"({")") + path + R"(": 400})").c_str()), "no such parameter"));
}

TEST_CASE("true and false are the only values of a switch") {
  CHECK(spec_from_json(Json::parse(R"({"ecb": {"wrap_frames": true}})")).get<EcbSection>().wrap_frames);
  CHECK(!spec_from_json(Json::parse(R"({"ecb": {"wrap_frames": false}})")).get<EcbSection>().wrap_frames);
  for (const char* other : {"1", "0", "\"true\"", "null"})
    CHECK(error_of((std::string(R"({"ecb": {"wrap_frames": )") + other + "}}").c_str()) ==
          std::string("ecb.wrap_frames = ") + other + ": must be true or false");
}

TEST_CASE("timestamps on request leave bit 31 of the vector word free") {
  CHECK(error_of(R"({"ecb": {"timestamp_policy": "on_request", "inputs": 31}})").empty());
  CHECK(error_of(R"({"ecb": {"timestamp_policy": "on_request", "inputs": 32}})") ==
        R"(ecb.inputs = 32: must be 1 to 31 with ecb.timestamp_policy = "on_request")");
  CHECK(error_of(R"({"ecb": {"timestamp_policy": "every", "inputs": 32}})").empty());
}

TEST_CASE("timestamps on request exclude empty frames at the wrap, board by board") {
  CHECK(error_of(R"({"ecb": {"timestamp_policy": "on_request", "wrap_frames": true}})") ==
        R"(ecb.wrap_frames = true: must be false with ecb.timestamp_policy = "on_request")");
  CHECK(error_of(R"({"nodes": 32, "ecb": {"wrap_frames": true}, "ecb[1]": {"timestamp_policy": "on_request"}})") ==
        R"(ecb[1].wrap_frames = true: must be false with ecb[1].timestamp_policy = "on_request")");
  CHECK(error_of(R"({"nodes": 32, "ecb[0]": {"wrap_frames": true}, "ecb[1]": {"timestamp_policy": "on_request"}})")
            .empty());
}

TEST_CASE("words of 32 bits are collected from ports of any width") {
  for (const char* width : {"4", "8", "16", "32"})
    CHECK(error_of((std::string(R"({"ecb": {"accumulate_bits": 32}, "port": {"width_bits": )") + width + "}}").c_str())
              .empty());
}

TEST_CASE("what boards may differ in is said with the parameter") {
  std::set<std::string> same;
  for (const auto& p : describe_parameters()) {
    const auto path = p["path"].get<std::string>();
    INFO(path);
    const bool several =
        std::set<std::string_view>{"ecb", "lan", "server", "disk", "neighbour"}.contains(section_of(path));
    if (!several)
      CHECK(!p.contains("per_board"));
    else if (!p.contains("per_board"))
      same.insert(path);
  }
  CHECK(same ==
        std::set<std::string>{"ecb.inputs", "ecb.reset_skew_ns", "lan.count", "neighbour.count", "server.count"});
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
  const std::string path = std::filesystem::temp_directory_path() / ("@" + std::to_string(getpid()));
  std::ofstream(path) << "abc";
  Spec spec;
  spec.get<ProgramParams>().file = path + "@sha256:" + digest_of("abc");
  CHECK(spec_from_json(to_json(spec)).get<ProgramParams>().file == spec.get<ProgramParams>().file);
  CHECK(file_parameter(spec.get<ProgramParams>().file)->path == path);
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
  CHECK(says(message(), "program.file = " + path + ": its content has changed"));
  std::remove(path.c_str());
  CHECK(says(message(), "cannot be read: No such file"));
}

TEST_CASE("a file's parameter is a path with its digest, or empty") {
  CHECK(says(error_of(R"({"program": {"file": "a.so"}})"), "program.file = \"a.so\": must be string, \"/path@sha256"));
  CHECK(error_of(R"({"program": {"file": ""}})").empty());
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

TEST_CASE("a SimGrid file has SimGrid's messages, and no host for the drain program") {
  CHECK(says(error_of(R"({"machine": {"topology": "xml"}})"), "machine.xml = \"\": must name a file"));
  const std::string file = R"("topology": "xml", "xml": "/a.xml@sha256:)" + std::string(64, '0') + '"';
  CHECK(says(error_of((R"({"machine": {)" + file + "}}").c_str()), "machine.messages = \"nx2\": must be smpi"));
  CHECK(says(error_of((R"({"drain": {"destination": "host"}, "machine": {"messages": "smpi", )" + file + "}}").c_str()),
             "drain.destination = \"host\": must be another one"));
}

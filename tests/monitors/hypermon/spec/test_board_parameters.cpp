// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the boards and of what is behind the ports: some are each board's own.
#include "base/recording.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "tests/spec/error_of.hpp"

#include "tests/catch.hpp"

#include <set>

using namespace hypermon;
using namespace hypermon::test;

TEST_CASE("both ends of a range are allowed values") {
  for (const char* in : {R"({"nodes": 1})", R"({"nodes": 4096})", R"({"ecb": {"inputs": 32}})"})
    CHECK(error_of(in).empty());
  CHECK(!error_of(R"({"ecb": {"inputs": 33}})").empty());
}

TEST_CASE("garbage frames are refused for a stream, which is not decoded") {
  CHECK(error_of(R"({"workload": "stream", "faults": {"garbage_frames": 1}})")
            .starts_with("faults.garbage_frames = 1: must be 0 with workload = stream"));
}

TEST_CASE("hardware affects the nodes if one board stalls or sends to the host") {
  CHECK(!applies_back_pressure(spec_from_json(Json::parse(R"({"nodes": 32})"))));
  CHECK(applies_back_pressure(spec_from_json(Json::parse(R"({"nodes": 32, "ecb[1]": {"node_fifo_full": "stall"}})"))));
  CHECK(!applies_back_pressure(
      spec_from_json(Json::parse(R"({"monitor": "none", "ecb": {"node_fifo_full": "stall"}})"))));
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
  CHECK(error_of(R"({"ecb[0].inputs": 8})") == "ecb[0].inputs = 8: is the same of all; set ecb.inputs");
  CHECK(error_of(R"({"ecb[0].reset_skew_ns": 8})") ==
        "ecb[0].reset_skew_ns = 8: is the same of all; set ecb.reset_skew_ns");
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

TEST_CASE("an error names a board's parameter, its value and what is allowed") {
  const std::string window = error_of(R"({"ecb": {"window_ns": 30}})");
  CHECK(says(window, "ecb.window_ns = 30"));
  CHECK(says(window, "a multiple of 50"));
  CHECK(says(error_of(R"({"ecb": {"window_ns": 70}})"), "a multiple of 50")); // within its range
  CHECK(says(error_of(R"({"ecb": {"windw_ns": 400}})"), "did you mean ecb.window_ns?"));
  CHECK(says(error_of(R"({"port": {"delay": -1}})"), "port.delay = -1"));
}

TEST_CASE("the nodes' events depend on their own workload, but on no other and on no hardware behind the ports") {
  const auto emissions = [](const char* text) {
    Json json = Json::parse(text);
    json["workload"] = "generator";
    return emission_parameters(spec_from_json(json));
  };
  const Json those = emissions("{}");
  for (const char* same : {R"({"pbx": {"word_ns": 500}})", R"({"place": {"attempts": 5}})"})
    CHECK(emissions(same) == those);
  for (const char* other : {R"({"port": {"delay": 30}})", R"({"generator": {"events": 5}})"})
    CHECK(emissions(other) != those);
}

TEST_CASE("what boards may differ in is said with the parameter") {
  std::set<std::string> same;
  for (const auto& p : describe_parameters()) {
    const auto path = p["path"].get<std::string>();
    INFO(path);
    const auto section = section_of(path);
    if (std::set<std::string_view>{"port", "backplane", "erb", "pbx", "reader", "dma", "drain", "faults"}.contains(
            section))
      CHECK(!p.contains("several"));
    if (section == "ecb" && !p.contains("several")) same.insert(path);
  }
  CHECK(same == std::set<std::string>{"ecb.level", "ecb.inputs", "ecb.reset_skew_ns", "ecb.module",
                                      "ecb.module_options", "ecb.rtl", "ecb.rtl_top", "ecb.rtl_parameters",
                                      "ecb.lockstep", "ecb.lockstep_times"});
}

TEST_CASE("a SimGrid file has no host for the drain program") {
  const std::string file = R"("topology": "xml", "xml": "/a.xml@sha256:)" + std::string(64, '0') + '"';
  CHECK(says(error_of((R"({"drain": {"destination": "host"}, "machine": {"messages": "smpi", )" + file + "}}").c_str()),
             "drain.destination = \"host\": must be another one"));
}

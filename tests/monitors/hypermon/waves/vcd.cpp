// SPDX-License-Identifier: BSD-3-Clause
#include "base/vcd_writer.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace hypermon;

namespace {

std::string written(const std::vector<Signal>& signals, const std::vector<bool>& wanted,
                    const std::vector<Change>& changes, Time end) {
  const auto path = testing::scratch_path("waves.vcd");
  VcdWriter writer(path.string(), signals, wanted);
  writer.write(changes);
  writer.close(end);
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

} // namespace

TEST_CASE("a VCD has scopes, what is wanted of the signals, their values at the beginning and their changes") {
  using enum Signal::Kind;
  const std::vector<Signal> signals{{"a.x", value, 1}, {"a.b.y", level, 11}, {"a.b.no", value, 1}, {"c.z", event, 1}};
  const std::vector<Change> changes{{7_ps, 0, true, 1}, {7_ps, 1, false, 0}, {8_ps, 1, true, 1024}, {8_ps, 3, true, 1}};
  CHECK(written(signals, {true, true, false, true}, changes, 50_ps) ==
        "$date - $end\n$version hypermon $end\n$timescale 1 ps $end\n"
        "$scope module a $end\n$var wire 1 ! x $end\n"
        "$scope module b $end\n$var wire 11 \" y $end\n$upscope $end\n$upscope $end\n"
        "$scope module c $end\n$var event 1 # z $end\n$upscope $end\n"
        "$enddefinitions $end\n"
        "#7\n$dumpvars\n1!\nbx \"\n$end\n"
        "#8\nb10000000000 \"\n1#\n"
        "#50\n");
}

TEST_CASE("a VCD that cannot be written says so") {
  CHECK_THROWS_AS(VcdWriter("/nowhere/at/all.vcd", std::vector<Signal>{}, {}), std::runtime_error);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/window_writer.hpp"
#include "sw/monitors/hypermon/waves/module_signals.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace hypermon;

namespace {

const std::vector<Signal> signals{{"a.level", Signal::Kind::level, 8},
                                  {"a.loss.x", Signal::Kind::event, 1},
                                  {"a.loss.data", Signal::Kind::level, 64}};
constexpr WindowWriter::Limits plenty{1000, 1000};

class File {
public:
  std::string path = testing::scratch_path("window.vcd").string();
  ~File() { std::filesystem::remove(path); }
  std::string changes() const {
    std::stringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string all = text.str(), end = "$enddefinitions $end\n";
    return all.substr(all.find(end) + end.size());
  }
};

Change at(std::int64_t ps, std::uint32_t signal, std::uint64_t value) {
  return {Time::from_ps(ps), signal, true, value};
}

/// A level that counts up every 10 ps from 10 ps on, and two losses at 55 and 95 ps.
void feed(WindowWriter& writer) {
  for (std::int64_t i = 1; i <= 12; ++i) {
    std::vector<Change> changes{at(10 * i, 0, static_cast<std::uint64_t>(i))};
    if (i == 5 || i == 9) {
      changes.push_back(at(10 * i + 5, 1, 1));
      changes.push_back(at(10 * i + 5, 2, i == 5 ? 7 : 9));
    }
    writer.add(changes, Time::from_ps(10 * i + 10));
  }
  writer.finish(130_ps);
}

} // namespace

TEST_CASE("the window around a trigger has the values at its begin and all changes in it") {
  const File file;
  WindowWriter writer(file.path, signals, {true, true, true}, plenty);
  writer.around({{1, {}, 3}}, 25_ps, 20_ps);
  feed(writer);
  REQUIRE(writer.written());
  CHECK(writer.written()->trigger == 55_ps);
  CHECK(writer.written()->board == 3);
  CHECK_FALSE(writer.written()->is_cut);
  CHECK(file.changes() == "#30\n$dumpvars\nb11 !\nbx #\n$end\n#40\nb100 !\n#50\nb101 !\n#55\n1\"\nb111 #\n#60\nb110 !\n"
                          "#70\nb111 !\n#75\n");
}

TEST_CASE("a level is a trigger when it exceeds a number, also if it is not written") {
  const File file;
  WindowWriter writer(file.path, signals, {false, true, true}, plenty);
  writer.around({{0, 6, 0}}, 100_ps, 50_ps);
  feed(writer);
  REQUIRE(writer.written());
  CHECK(writer.written()->trigger == 70_ps);
  CHECK(writer.written()->from == 0_ps);
  CHECK(file.changes() == "#0\n$dumpvars\nbx \"\n$end\n#55\n1!\nb111 \"\n#95\n1!\nb1001 \"\n#120\n");
}

TEST_CASE("data that are lost count from the begin of the file") {
  const File file;
  WindowWriter writer(file.path, signals, {false, false, true}, plenty);
  writer.window(60_ps, 100_ps);
  feed(writer);
  CHECK(file.changes() == "#60\n$dumpvars\nb0 !\n$end\n#95\nb10 !\n#100\n");
}

TEST_CASE("bounds of memory and file shorten the window, and what is left is right") {
  const File file;
  WindowWriter writer(file.path, signals, {true, true, true}, {3, 5});
  writer.around({{1, {}, 0}}, 1000_ps, 1000_ps);
  feed(writer);
  REQUIRE(writer.written());
  CHECK(writer.written()->is_cut);
  CHECK(writer.written()->from == 21_ps);
  CHECK(writer.written()->to == 55_ps);
  CHECK(file.changes() == "#21\n$dumpvars\nb10 !\nbx #\n$end\n#30\nb11 !\n#40\nb100 !\n#50\nb101 !\n#55\n");
}

TEST_CASE("a trigger that is found later has its own window if that is held") {
  for (const bool held : {true, false}) {
    const File file;
    WindowWriter writer(file.path, signals, {true, false, false}, plenty);
    writer.around({}, 10_ps, 5_ps);
    for (std::int64_t i = 1; i <= 9; ++i) {
      if (held) writer.hold(30_ps);
      if (i == 7) writer.found(30_ps, 65_ps, 2);
      const Change change = at(10 * i, 0, static_cast<std::uint64_t>(i));
      writer.add({&change, 1}, Time::from_ps(10 * i + 1));
    }
    writer.finish(100_ps);
    REQUIRE(writer.written());
    CHECK(writer.written()->from == (held ? 20_ps : 51_ps));
    CHECK(writer.written()->trigger == (held ? 30_ps : 51_ps));
    CHECK(writer.written()->to == 70_ps);
    CHECK(writer.written()->board == 2);
    CHECK_FALSE(writer.written()->is_cut);
    const std::string begin =
        held ? "#20\n$dumpvars\nb10 !\n$end\n#30\nb11 !\n#40\nb100 !\n#50\nb101 !\n" : "#51\n$dumpvars\nb101 !\n$end\n";
    CHECK(file.changes() == begin + "#60\nb110 !\n#70\n");
  }
}

TEST_CASE("without the trigger there is no file") {
  const File file;
  WindowWriter writer(file.path, signals, {true, true, true}, plenty);
  writer.around({{0, 50, 0}}, 10_ps, 10_ps);
  feed(writer);
  CHECK_FALSE(writer.written());
  CHECK_FALSE(std::filesystem::exists(file.path));
}

TEST_CASE("a glob names signals, and scopes with all that is in them") {
  CHECK(names_signal("board0", "board0.pbx.word"));
  CHECK(names_signal("*.level", "board0.ecb.node_fifo[3].level"));
  CHECK(names_signal("board?.erb.line[3]", "board1.erb.line[3].strobe"));
  CHECK_FALSE(names_signal("board", "board0.pbx.word"));
  CHECK_FALSE(names_signal("*.lev", "board0.level"));
  CHECK_FALSE(names_signal("", "board0"));
}

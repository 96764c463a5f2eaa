// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/core/text.hpp"

#include "tests/catch.hpp"

using namespace hypermon;
using namespace hypermon::hdtrace;

TEST_CASE("a stamp is whole microseconds, rounded down, also before a clock's 0") {
  CHECK(stamp(1'234'567_us + Time::from_ps(999'999)) == "1.234567");
  CHECK(stamp(Time{}) == "0.000000");
  CHECK(stamp(Time::from_ps(-1)) == "-0.000001");
  CHECK(stamp(Time{} - 2'000'000_us) == "-2.000000");
}

TEST_CASE("a header's adjustment has one length for all but its sign") {
  CHECK(adjustment(Time{}) == "0000000000.000000000");
  CHECK(adjustment(1'500'000_us) == "0000000001.500000000");
  CHECK(adjustment(Time{} - 125_us) == "-0000000000.000125000");
}

TEST_CASE("a state is a line as the C library writes it") {
  Attributes a;
  a.add("size", 4);
  a.add("cid", 0);
  CHECK(state("", "Send", a, 200'010_us, 200'020_us) == "<Send size='4' cid='0'  time='0.200010' end='0.200020'/>\n");
  CHECK(state("  ", "Barrier", {}, 1_us, 2_us) == "  <Barrier  time='0.000001' end='0.000002'/>\n");
  CHECK(state("", "Wait", {}, 1_us, 2_us, {"For rid='3'"}) ==
        "<Wait  time='0.000001' end='0.000002'>\n  <For rid='3' />\n</Wait>\n");
}

TEST_CASE("what a program calls its files cannot break the file") {
  Attributes a;
  a.add("name", "a'b<c>&\"\n");
  CHECK(a.text == "name='a&apos;b&lt;c&gt;&amp;&quot;?' ");
}

TEST_CASE("a statistics header says its own length, and entries are big-endian") {
  const std::string head = statistics_begin({"node00", "3"}, "G", {{"A", Column::Type::int32, "B", "X"}}, Time{});
  CHECK(std::stoul(head.substr(0, 5)) == head.size() - 6);
  CHECK(head.find("<Value name=\"A\" type=\"INT32\" unit=\"B\" grouping=\"X\" />\n") != std::string::npos);
  CHECK(statistics_stamp(Time::from_ns(1'000'000'001) * 2) ==
        std::string("\0\0\0\2\0\0\0\0", 8)); // 2 ns are below 1 us
  CHECK(statistics_stamp(1'000'001_us) == std::string("\0\0\0\1\0\0\3\xe8", 8));
  CHECK(statistics_value(Column::Type::int32, -2) == std::string("\xff\xff\xff\xfe", 4));
  CHECK(statistics_value(Column::Type::int64, 258) == std::string("\0\0\0\0\0\0\1\2", 8));
  CHECK(statistics_value(Column::Type::real, 1.0) == std::string("\x3f\x80\0\0", 4));
}

TEST_CASE("a file is named after its place in the tree, without what names of files must not have") {
  CHECK(file_name("p", {"node 0/1", "2"}, "Energy", ".stat") == "p_node01_2_Energy.stat");
}

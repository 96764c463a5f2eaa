// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_text.hpp"
#include "tests/catch.hpp"

#include <string>

using hypermon::csv_text;

TEST_CASE("a name that begins as a formula does has an apostrophe before it in CSV") {
  for (const char* name : {"=1+1", "+x", "-x", "@SUM(A1)", "\tx", "\nx", "'=1+1"})
    CHECK(csv_text(name) == "'" + std::string(name));
  for (const char* name : {"", "a=b", "kernel.frames", "'", "it's"}) CHECK(csv_text(name) == name);
}

TEST_CASE("a name in CSV has no control characters, and its quotes are doubled") {
  CHECK(csv_text("say \"so\"") == "say \"\"so\"\"");
  CHECK(csv_text("\x1b[31m\r\x7f") == "\\u001b[31m\\u000d\\u007f");
}

// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/hints.hpp"
#include "tests/catch.hpp"

#include <algorithm>

using namespace hypermon::mpiio;

TEST_CASE("a hint with a bad value changes nothing and says what is allowed") {
  Hints hints;
  CHECK(hints.take("cb_buffer_size", "0") == "must be a whole number from 1 to 2147483647");
  CHECK(hints.take("cb_buffer_size", "4M") == "must be a whole number from 1 to 2147483647");
  CHECK(hints.take("romio_cb_read", "yes") == "must be enable, disable or automatic");
  CHECK(hints.take("romio_pvfs2_listio_write", "automatic") == "must be enable or disable");
  CHECK(hints.take("no_such_hint", "1") == "not known");
  CHECK(hints.all() == Hints{}.all());
}

TEST_CASE("hints are given back as they were taken") {
  Hints hints;
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"cb_nodes", "3"}, {"romio_ds_read", "disable"}, {"romio_pvfs2_listio_write", "enable"}}) {
    CHECK_FALSE(hints.take(key, value));
    const auto all = hints.all();
    CHECK(std::find(all.begin(), all.end(), std::pair(key, value)) != all.end());
  }
}

TEST_CASE("no independent accesses means collective buffering") {
  Hints hints;
  CHECK_FALSE(hints.take("romio_no_indep_rw", "true"));
  CHECK(hints.cb_read == Switch::enable);
  CHECK(hints.cb_write == Switch::enable);
}

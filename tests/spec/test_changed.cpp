// SPDX-License-Identifier: BSD-3-Clause
// A specification with changes is what its text with these changes in it gives, complaints included.
#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/spec/error_of.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace hypermon;
using namespace hypermon::test;

namespace {

/// Result of reading, or its error message.
template <class Read> std::string outcome_of(Read&& read) {
  try {
    return to_json(read()).dump();
  } catch (const UserError& e) {
    return e.what();
  }
}

/// A value for a parameter: mostly an allowed one, its limits and its words; sometimes a forbidden one.
Json value_for(const Json& parameter, testing::Random& random) {
  if (random.one_in(20)) return random.pick({Json("no such word"), Json(-1), Json(1e12), Json(true), Json::array({1})});
  if (random.one_in(3)) return parameter["default"];
  if (parameter.contains("choices")) return parameter["choices"][random.engine() % parameter["choices"].size()];
  if (parameter.contains("min")) {
    const Json& end = parameter[random.one_in(2) ? "min" : "max"];
    return parameter["type"] == "int" ? Json(end.get<std::int64_t>()) : end;
  }
  return parameter["type"] == "bool" ? Json(random.one_in(2)) : parameter["default"];
}

/// A few parameters, by their paths; one in a hundred times one that there is not.
Json drawn(const Json& parameters, testing::Random& random) {
  Json changes = Json::object();
  for (std::int64_t i = random.between(1, 4); i > 0; --i) {
    const Json& one = parameters[random.engine() % parameters.size()];
    changes[one["path"].get<std::string>()] = value_for(one, random);
  }
  if (random.one_in(100)) changes["node.no_such"] = 1;
  return changes;
}

Json merged(const Json& base, const Json& changes) {
  Json all = base;
  for (const auto& [path, value] : changes.items()) {
    const auto dot = path.find('.');
    (dot == std::string::npos ? all[path] : all[path.substr(0, dot)][path.substr(dot + 1)]) = value;
  }
  return all;
}

} // namespace

TEST_CASE("a specification with changes is that of the text with them, and so is the complaint") {
  const Json parameters = describe_parameters();
  testing::Random random(21);
  std::set<std::string> seen;
  int good = 0;
  const int cases = static_cast<int>(testing::cases_wanted(1000));
  Spec base;
  for (int i = 0; i < cases; ++i) {
    const Json changes = drawn(parameters, random);
    const Json whole = merged(to_json(base), changes);
    const std::string expected = outcome_of([&] { return spec_from_json(whole); });
    INFO(changes.dump());
    REQUIRE(outcome_of([&] { return changed(base, changes); }) == expected);
    const bool is_good = expected.starts_with('{');
    good += is_good;
    seen.insert(expected);
    if (is_good && random.one_in(4)) base = random.one_in(10) ? Spec() : changed(base, changes);
  }
  CHECK(good > cases / 4);
  CHECK(cases - good > cases / 20);
  CHECK(static_cast<int>(seen.size()) > cases / 4); // so that their agreement is meaningful
}

TEST_CASE("single ones start from those of all, so nothing is changed below them") {
  const Spec one_differs = spec_from_json(Json::parse(R"({"server": {"count": 2}, "disk[1]": {"seek_ms": 7}})"));
  CHECK_THROWS_AS(changed(one_differs, Json{{"disk.seek_ms", 5}}), std::invalid_argument);
  CHECK_THROWS_AS(changed(Spec(), Json{{"disk[1].seek_ms", 5}}), std::invalid_argument);
}

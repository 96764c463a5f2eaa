// SPDX-License-Identifier: BSD-3-Clause
// Random catalogues, as a user may write them.
#pragma once
#include "base/json_value.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "tests/instrumentation/random_events.hpp"
#include <set>

namespace hypermon::test {

inline Catalogue read(const Json& json) { return read_catalogue(json.dump()); }

/// `rows` events of different points, with up to three arguments of any size, no codes given.
inline Json random_rows(Rng& rng, std::size_t rows) {
  std::set<std::size_t> chosen;
  while (chosen.size() < rows) chosen.insert(below(rng, points));
  Json events = Json::array();
  for (const std::size_t i : chosen) {
    const PointInfo point = info_of(static_cast<Point>(i));
    Json arguments = Json::object();
    for (std::size_t n = below(rng, 4); n > 0; --n) {
      const Item item = point.items[below(rng, point.items.size())];
      arguments[std::string(item_table[index(item)].name)] = 1 << below(rng, 3);
    }
    events.push_back({{"name", "e" + std::to_string(i)}, {"point", point.name}, {"arguments", arguments}});
  }
  return {{"name", "random"}, {"events", std::move(events)}};
}

} // namespace hypermon::test

// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/unseen.hpp"
#include "base/listing.hpp"
#include <algorithm>

namespace hypermon {

std::string unseen(const Catalogue& catalogue, std::string_view messages) {
  const auto& rows = catalogue.rows();
  const auto has = [&rows](auto&& holds) {
    return std::any_of(rows.begin(), rows.end(), [&](const EventRow& row) { return holds(row.point); });
  };
  if (messages == "nx2" || !has(needs_nx2_messages) || has([](Point point) { return point >= Point::mpi_0; }))
    return "";
  std::string seen;
  for (const EventRow& row : rows)
    if (!needs_nx2_messages(row.point)) add_to_list(seen, info_of(row.point).name);
  return "instrumentation.catalogue = " + catalogue.name() + ": with machine.messages = " + std::string(messages) +
         " " + (seen.empty() ? "none of its events occurs" : "only " + seen + " can occur") +
         ", nothing of the program's communication is seen; instrumentation.catalogue = mpi sees its MPI calls";
}

} // namespace hypermon

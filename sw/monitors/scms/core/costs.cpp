#include "sw/monitors/scms/core/costs.hpp"

#include <cmath>

namespace hypermon::scms {
namespace {

template <class... F> struct Cases : F... { using F::operator()...; };
template <class... F> Cases(F...) -> Cases<F...>;

std::int64_t runs(const NodeSet& nodes) {
  std::int64_t count = 0;
  if (!nodes) return count;
  for (std::size_t i = 0; i < nodes->size(); ++i)
    count += i == 0 || index((*nodes)[i]) != index((*nodes)[i - 1]) + 1 ? 1 : 0;
  return count;
}

std::int64_t width(const ResourceVector& resources) { return resources ? std::ssize(*resources) : 0; }

/// In a push with a filter, a row says by a bit each which values follow.
std::int64_t bytes_of(const Rows& rows, const Costs& costs, bool in_push) {
  std::int64_t bytes = std::ssize(rows.nodes) * costs.node;
  std::int64_t present = 0;
  for (const Value& value : rows.values)
    if (value.state != State::same) {
      ++present;
      bytes += (value.state == State::ok ? value.bytes : 1) + costs.stamp;
    }
  if (in_push && present < std::ssize(rows.values)) bytes += std::ssize(rows.nodes) * ((width(rows.resources) + 7) / 8);
  return bytes;
}

} // namespace

std::int64_t names_in(const Message& message, const Costs& costs) {
  const auto rows = [&](const Rows& of) {
    if (!costs.names_each) return std::int64_t{0}; // in the order of the request's vector
    std::int64_t present = 0;
    for (const Value& value : of.values) present += value.state != State::same ? 1 : 0;
    return present;
  };
  return std::visit(Cases{[](const Request& r) { return width(r.resources); },
                          [&](const Reply& r) { return rows(r.rows); }, [&](const Push& p) { return rows(p.rows); },
                          [](const auto&) { return std::int64_t{0}; }},
                    message);
}

std::int64_t bytes_of(const Message& message, const Costs& costs) {
  const std::int64_t named = costs.header + names_in(message, costs) * costs.id;
  return named + std::visit(Cases{[&](const Request& r) { return runs(r.nodes) * costs.range; },
                                  [&](const Reply& r) { return bytes_of(r.rows, costs, false); },
                                  [&](const Push& p) { return bytes_of(p.rows, costs, true); },
                                  [&](const Join& j) { return runs(j.nodes) * costs.range; },
                                  [&](const Members& m) { return (runs(m.joined) + runs(m.left)) * costs.range; },
                                  [](const auto&) { return std::int64_t{0}; }},
                            message);
}

Time handling(const Message& message, std::int64_t bytes, const Costs& costs) {
  return costs.message + names_in(message, costs) * costs.name +
         Time::from_ns_rounded(static_cast<double>(bytes) * costs.byte_ns);
}

Time handling(const Message& message, const Costs& costs) { return handling(message, bytes_of(message, costs), costs); }

Time reading(std::int64_t values, std::int64_t bytes, const Costs& costs) {
  return values * costs.value + Time::from_ns_rounded(static_cast<double>(bytes) * costs.byte_ns);
}

void post(Outbox& out, Peer to, Message message, const Costs& costs) {
  const std::int64_t bytes = bytes_of(message, costs);
  const Time cpu = handling(message, bytes, costs);
  out.push_back({to, std::make_shared<const Message>(std::move(message)), bytes, cpu});
}

} // namespace hypermon::scms

// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/costs.hpp"

#include <algorithm>
#include <utility>

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

/// In a push with a filter, each row has one bit per value that says whether the value follows.
std::int64_t bytes_of(const Rows& rows, const Costs& costs, bool in_push) {
  const auto is_same = [](const Value& value) { return value.state == State::same; };
  const bool has_bits = in_push && std::any_of(rows.values.begin(), rows.values.end(), is_same);
  const std::int64_t of_row = costs.node + (has_bits ? (width(rows.resources) + 7) / 8 : 0);
  return std::ssize(rows.nodes) * of_row + bytes_of_values(rows, costs);
}

Time unpacking(const Rows& rows, bool is_merged, const Costs& costs) {
  const double of_byte = is_merged ? costs.merged_byte_ns : costs.byte_ns;
  return Time::from_ns_rounded(static_cast<double>(bytes_of_values(rows, costs)) * of_byte);
}

} // namespace

std::int64_t bytes_of_values(const Rows& rows, const Costs& costs) {
  std::int64_t bytes = 0;
  for (const Value& value : rows.values)
    if (value.state != State::same) bytes += (value.state == State::ok ? value.bytes : 1) + costs.stamp;
  return bytes;
}

std::int64_t names_in(const Message& message, const Costs& costs) {
  const auto rows = [&](const Rows& sent) {
    if (!costs.names_each) return std::int64_t{0}; // in the order of the request's vector
    std::int64_t present = 0;
    for (const Value& value : sent.values) present += value.state != State::same ? 1 : 0;
    return present;
  };
  return std::visit(Cases{[](const Request& r) { return width(r.resources); },
                          [&](const Reply& r) { return rows(r.rows); }, [&](const Push& p) { return rows(p.rows); },
                          [](const auto&) { return std::int64_t{0}; }},
                    message);
}

std::int64_t bytes_of(const Message& message, const Costs& costs) {
  const bool has_values = kind_of(message) == Kind::reply || kind_of(message) == Kind::push;
  const std::int64_t header = has_values ? costs.reply : costs.request;
  return header + names_in(message, costs) * costs.id +
         std::visit(Cases{[&](const Request& r) { return runs(r.nodes) * costs.range; },
                          [&](const Reply& r) { return bytes_of(r.rows, costs, false); },
                          [&](const Push& p) { return bytes_of(p.rows, costs, true); },
                          [&](const Join& j) { return runs(j.nodes) * costs.range; },
                          [&](const Members& m) { return (runs(m.joined) + runs(m.left)) * costs.range; },
                          [](const auto&) { return std::int64_t{0}; }},
                    message);
}

Time sending(const Message& message, const Costs& costs) { return costs.send + names_in(message, costs) * costs.name; }

Time receiving(const Message& message, const Costs& costs) {
  const Time values = std::visit(Cases{[&](const Reply& r) { return unpacking(r.rows, r.is_merged, costs); },
                                       [&](const Push& p) { return unpacking(p.rows, p.is_merged, costs); },
                                       [](const auto&) { return Time{}; }},
                                 message);
  return costs.receive + names_in(message, costs) * costs.name + values;
}

void post(Outbox& out, Peer to, Message message, const Costs& costs) {
  const std::int64_t bytes = bytes_of(message, costs);
  const Time cpu = sending(message, costs);
  out.push_back({to, std::make_shared<const Message>(std::move(message)), bytes, cpu});
}

} // namespace hypermon::scms

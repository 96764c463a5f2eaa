// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/session.hpp"

#include <algorithm>

namespace hypermon::scms {

std::uint64_t Session::submit(Request request, Time now, Outbox& out) {
  request.id = ++last_;
  Open& open = open_[request.id];
  open.request = request;
  open.asked = now;
  if (request.verb != Verb::live) {
    open.rows.resources = request.resources;
    open.rows.nodes = *request.nodes;
    open.rows.values.resize(open.rows.nodes.size() * open.rows.width());
    open.has.resize(open.rows.nodes.size());
  }
  post(out, sma_, std::move(request), costs_);
  return last_;
}

std::optional<Answer> Session::receive(const Message& message, Time now) {
  const auto* reply = std::get_if<Reply>(&message);
  if (reply == nullptr) return {};
  const auto found = open_.find(reply->id);
  const auto take = [&](const Value& value, bool wanted) {
    if (value.ticket == 0) return;
    wanted ? around_.arrive(value.ticket, now) : around_.lose(value.ticket, Loss::late);
  };
  if (found == open_.end()) {
    for (const Value& value : reply->rows.values) take(value, false);
    return {};
  }
  Open& open = found->second;
  if (open.request.verb == Verb::live) {
    open.rows.nodes = reply->rows.nodes;
    return close(found, now);
  }
  for (std::size_t r = 0; r < reply->rows.nodes.size(); ++r) {
    const auto place = std::lower_bound(open.rows.nodes.begin(), open.rows.nodes.end(), reply->rows.nodes[r]);
    const auto row = static_cast<std::size_t>(place - open.rows.nodes.begin());
    const auto values = reply->rows.row(r);
    for (const Value& value : values) take(value, true);
    std::copy(values.begin(), values.end(), open.rows.row(row).begin());
    for (Value& value : open.rows.row(row)) value.ticket = 0;
    open.has[row] = true;
  }
  if (!reply->is_last) return {};
  return close(found, now);
}

Answer Session::close(std::map<std::uint64_t, Open>::iterator open, Time now) {
  Answer answer{open->first, open->second.asked, now, std::move(open->second.rows)};
  open_.erase(open);
  return answer;
}

std::vector<Answer> Session::gone(Time now) {
  std::vector<Answer> answers;
  while (!open_.empty()) answers.push_back(close(open_.begin(), now));
  return answers;
}

Time Session::due() const {
  return open_.empty() || timeout_ == Time{} ? Time::never() : open_.begin()->second.asked + timeout_;
}

std::vector<Answer> Session::expire(Time now) {
  std::vector<Answer> answers;
  while (due() <= now) answers.push_back(close(open_.begin(), now));
  return answers;
}

} // namespace hypermon::scms

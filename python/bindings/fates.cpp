// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/fates.hpp"

#include <pybind11/numpy.h>

#include <memory>
#include <utility>

namespace py = pybind11;

namespace hypermon {
namespace {

/// The vector's memory as an array; not copied.
template <class T> py::array_t<T> as_array(std::vector<T>& column) {
  auto owned = std::make_unique<std::vector<T>>(std::exchange(column, {}));
  const auto* data = owned->data();
  const auto size = static_cast<py::ssize_t>(owned->size());
  const py::capsule owner(owned.release(), [](void* v) { delete static_cast<std::vector<T>*>(v); });
  return py::array_t<T>(size, data, owner);
}

} // namespace

void FateColumns::add(const Emitted& event) {
  node_.push_back(static_cast<std::uint16_t>(index(event.node)));
  type_.push_back(static_cast<std::uint8_t>(event.event.type));
  for (std::size_t i = 0; i < args_.size(); ++i) args_[i].push_back(event.event.args[i]);
  true_ps_.push_back(event.first.ps());
  emitted_ps_.push_back(event.start.ps());
  software_ps_.push_back(clocks_[index(event.node)].read(event.start).ps());
  message_.push_back(event.message);
  side_.push_back(static_cast<std::uint8_t>(event.side));
}

void FateColumns::spurious(NodeId node, EventType type, Time stamp, Time there) {
  spurious_node_.push_back(static_cast<std::uint16_t>(index(node)));
  spurious_type_.push_back(static_cast<std::uint8_t>(type));
  spurious_monitor_ps_.push_back(stamp.ps());
  spurious_delivered_ps_.push_back(there.ps());
}

py::dict FateColumns::take(const std::vector<std::pair<std::string, std::string>>& places) {
  py::dict columns;
  columns["node"] = as_array(node_);
  columns["type"] = as_array(type_);
  columns["arg0"] = as_array(args_[0]);
  columns["arg1"] = as_array(args_[1]);
  columns["arg2"] = as_array(args_[2]);
  columns["true_ps"] = as_array(true_ps_);
  columns["emitted_ps"] = as_array(emitted_ps_);
  columns["software_ps"] = as_array(software_ps_);
  columns["message"] = as_array(message_);
  columns["side"] = as_array(side_);
  columns["monitor_ps"] = as_array(monitor_ps_);
  columns["delivered_ps"] = as_array(delivered_ps_);
  columns["lost"] = as_array(lost_);
  py::dict spurious;
  spurious["node"] = as_array(spurious_node_);
  spurious["type"] = as_array(spurious_type_);
  spurious["monitor_ps"] = as_array(spurious_monitor_ps_);
  spurious["delivered_ps"] = as_array(spurious_delivered_ps_);
  py::list causes;
  for (const auto& [stage, cause] : places) causes.append(py::make_tuple(stage, cause));
  py::dict all;
  all["events"] = columns;
  all["spurious"] = spurious;
  all["causes"] = causes;
  return all;
}

} // namespace hypermon

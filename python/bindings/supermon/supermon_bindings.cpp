// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core.monhole(): the monhole's buffer alone, with writes and reads at given times. The study of monholes
// uses it to find the loss of each policy at different rates.
#include "base/json_value.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"
#include "sw/monitors/supermon/monhole/monhole_report.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace py = pybind11;

namespace hypermon {
namespace {

using supermon::BufferPolicy;
template <class T> using Column = py::array_t<T, py::array::c_style>;

BufferPolicy policy_of(const std::string& name) {
  const auto all = words_of(BufferPolicy{});
  const auto found = std::ranges::find(all, name);
  if (found == all.end()) throw std::invalid_argument("no such policy: " + name);
  return static_cast<BufferPolicy>(found - all.begin());
}

/// Writes and reads are ordered by time; at the same time the write comes first. Sources are named by their numbers.
std::string monhole(const std::string& policy, std::size_t entries, std::size_t memory, std::uint32_t sinks,
                    const Column<std::int64_t>& write_ps, const Column<std::uint32_t>& source,
                    const Column<std::int64_t>& bytes, const Column<std::int64_t>& read_ps,
                    const Column<std::uint32_t>& sink) {
  const supermon::BufferSetting setting{policy_of(policy), entries, memory};
  if (setting.policy == BufferPolicy::fill_k_read && entries == 0) throw std::invalid_argument("fill_k_read: no K");
  if (write_ps.size() != source.size() || write_ps.size() != bytes.size() || read_ps.size() != sink.size())
    throw std::invalid_argument("columns of different lengths");
  supermon::MonholeBuffer buffer(setting, sinks);
  const auto writes = static_cast<std::size_t>(write_ps.size());
  const auto reads = static_cast<std::size_t>(read_ps.size());
  for (std::size_t w = 0, r = 0; w < writes || r < reads;) {
    if (w < writes && (r == reads || write_ps.data()[w] <= read_ps.data()[r])) {
      buffer.write(Time::from_ps(write_ps.data()[w]), std::to_string(source.data()[w]),
                   std::string(static_cast<std::size_t>(bytes.data()[w]), ' '));
      ++w;
    } else {
      buffer.read(Time::from_ps(read_ps.data()[r]), sink.data()[r]);
      ++r;
    }
  }
  Json result;
  Results results(result);
  supermon::report(results, {&buffer});
  return result.at("monitor").at("monhole").dump();
}

} // namespace

void bind_supermon(py::module_& m);
void bind_supermon(py::module_& m) {
  m.def("monhole", &monhole, py::kw_only(), py::arg("policy"), py::arg("entries"), py::arg("memory"), py::arg("sinks"),
        py::arg("write_ps"), py::arg("source"), py::arg("bytes"), py::arg("read_ps"), py::arg("sink"));
}

} // namespace hypermon

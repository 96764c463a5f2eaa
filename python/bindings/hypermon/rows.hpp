// SPDX-License-Identifier: BSD-3-Clause
// Batches of a recording's rows as NumPy arrays.
#pragma once
#include "hw/hypermon/core/burst_rows.hpp"
#include "python/bindings/columns.hpp"

namespace hypermon {

/// Passes a batch of rows to `to` without the GIL. The arrays are not copied if they have these types and are
/// contiguous.
template <class Taker>
void add(Taker& to, const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps,
         const Column<std::int64_t>& spacing_ps, const Column<std::int32_t>& offsets,
         const Column<std::uint8_t>& data) {
  const BurstRows rows{span(node), span(first_ps), span(spacing_ps), span(offsets), span(data)};
  const pybind11::gil_scoped_release unlocked;
  to.add(rows);
}
template <class Taker> void bind_add(pybind11::class_<Taker>& type) {
  namespace py = pybind11;
  type.def("add", &add<Taker>, py::kw_only(), py::arg("node"), py::arg("first_ps"), py::arg("spacing_ps"),
           py::arg("offsets"), py::arg("data"));
  type.def(
      "program_ends", [](Taker& to, std::int64_t at_ps) { to.program_ends(Time::from_ps(at_ps)); }, py::arg("at_ps"));
}

} // namespace hypermon

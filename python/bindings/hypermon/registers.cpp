// SPDX-License-Identifier: BSD-3-Clause
// The capture board's registers, for hypermon.registers.
#include "hw/hypermon/core/registers.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"

namespace py = pybind11;

namespace hypermon {

namespace {

std::string name_of(Access access) {
  return access == Access::read_only ? "ro" : access == Access::write_only ? "wo" : "rw";
}

std::string describe_registers() {
  Json list = Json::array();
  for (const RegisterInfo& r : pbx_registers) {
    Json fields = Json::array();
    for (const RegisterField& f : r.fields)
      fields.push_back({{"name", f.name}, {"mask", f.mask}, {"description", f.description}});
    const auto offset = static_cast<std::uint64_t>(r.offset);
    list.push_back({{"name", r.name},
                    {"offset", offset},
                    {"address", pbx_register_base + offset},
                    {"bits", r.bits},
                    {"access", name_of(r.access)},
                    {"reset", r.reset},
                    {"side_effects", r.side_effects},
                    {"description", r.description},
                    {"fields", std::move(fields)}});
  }
  return list.dump();
}

} // namespace

void bind_registers(py::module_& m) { m.def("describe_registers", &describe_registers); }

} // namespace hypermon

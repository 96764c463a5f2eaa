// Functions of hypermon._core that are bound in a file of their own, and what these share.
#pragma once
#include "sw/model/json.hpp"
#include "sw/model/user_error.hpp"
#include <pybind11/pybind11.h>

namespace hypermon {

void bind_capture(pybind11::module_& m);
void bind_drains(pybind11::module_& m);
void bind_merging(pybind11::module_& m);
void bind_recorded(pybind11::module_& m);
void bind_registers(pybind11::module_& m);
void bind_waves(pybind11::module_& m);

/// Throws UserError, which Python knows as BadSpecification.
inline Spec spec_of(const std::string& json) {
  try {
    return spec_from_json(nlohmann::ordered_json::parse(json));
  } catch (const nlohmann::ordered_json::exception& e) {
    std::string said = e.what(); // of bytes that may be cut within a character
    for (char& c : said)
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    throw UserError("specification: " + said);
  }
}

} // namespace hypermon

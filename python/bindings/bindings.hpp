// SPDX-License-Identifier: BSD-3-Clause
// Functions that the parts of hypermon._core share.
#pragma once
#include "base/json.hpp"
#include "base/user_error.hpp"
#include <pybind11/pybind11.h>

namespace hypermon {

/// Throws UserError, which is BadSpecification in Python.
inline Spec spec_of(const std::string& json) {
  try {
    return spec_from_json(Json::parse(json));
  } catch (const JsonError& e) {
    std::string text = e.what(); // may contain a character that is cut off
    for (char& c : text)
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    throw UserError("specification: " + text);
  }
}

} // namespace hypermon

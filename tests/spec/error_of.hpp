// SPDX-License-Identifier: BSD-3-Clause
// What reading a specification complains of.
#pragma once
#include "base/json.hpp"
#include "base/user_error.hpp"

#include <string>

namespace hypermon::test {

/// The error message; empty if there is none.
inline std::string error_of(const char* text) {
  try {
    spec_from_json(Json::parse(text));
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

inline bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

} // namespace hypermon::test

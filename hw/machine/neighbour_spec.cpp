// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/neighbour_spec.hpp"
#include "base/file_parameter.hpp"
#include "base/listing.hpp"
#include "base/user_error.hpp"
#include "hw/machine/neighbour_params.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace hypermon {
namespace {

/// Parses a value of the parameter's type; false if the text is not one.
template <class Number> bool read(const std::string& text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
bool read(const std::string& text, bool& value) {
  value = text == "true";
  return value || text == "false";
}
bool read(const std::string& text, std::string& value) {
  value = text;
  return true;
}

/// Sets the workload's parameter that a word NAME=value names.
void set(Spec& spec, const std::string& word, const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw UserError(path + ".arguments: " + word + ": " + why); };
  const auto equals = word.find('=');
  if (equals == std::string::npos) refuse("must be NAME=value");
  const std::string wanted = spec.workload + "." + word.substr(0, equals);
  const std::string text = word.substr(equals + 1);
  std::string names;
  bool found = false;
  spec.visit([&](const std::string& parameter, const FieldInfo& field, ValueAt at) {
    if (section_of(parameter) == spec.workload) add_to_list(names, field.name);
    if (parameter != wanted) return;
    found = true;
    std::visit(
        [&]<class At>(At value) {
          if constexpr (std::is_same_v<At, ChoiceAt>) {
            if (!is_allowed(field.allowed, text)) refuse("must be " + what_is_allowed<std::string>(field.allowed));
            value.set(text);
          } else if (!read(text, *value) || !is_allowed(field.allowed, *value)) {
            refuse("must be " + what_is_allowed<std::remove_pointer_t<At>>(field.allowed));
          }
        },
        at);
  });
  if (!found) refuse("workload " + spec.workload + " has no such parameter, but " + names);
}

void check_workload(const std::string& workload, const std::string& path) {
  std::string names;
  for (const Part& part : parts()) {
    if (part.kind != Part::Kind::workload || part.name == "matmul" || part.name == "trace" || part.name == "stream")
      continue; // matmul has a rank on the host, trace has as many ranks as its file, and stream has none
    if (part.name == workload) return;
    add_to_list(names, part.name);
  }
  throw UserError(path + ".workload = \"" + workload + "\": must be one of " + names);
}

} // namespace

Spec neighbour_spec(const Spec& spec, std::size_t number, const std::string& path) {
  const NeighbourParams& own = spec.get<NeighbourSection>().instance(number);
  check_workload(own.workload, path);
  Spec seen = spec;
  seen.nodes = own.nodes;
  seen.workload = own.workload;
  if (own.workload == "program") {
    if (!file_parameter(own.file)) throw UserError(path + ".file: must be given with " + path + ".workload = program");
    seen.visit([&](const std::string& parameter, const FieldInfo&, ValueAt at) {
      if (parameter == "program.file") *std::get<std::string*>(at) = own.file;
      if (parameter == "program.arguments") *std::get<std::string*>(at) = own.arguments;
    });
    return seen;
  }
  std::istringstream words(own.arguments);
  for (std::string word; words >> word;) set(seen, word, path);
  return seen;
}

} // namespace hypermon

// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.hpp"
#include "base/edit_distance.hpp"
#include "base/file_parameter.hpp"
#include "base/path.hpp"
#include "base/user_error.hpp"
#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace hypermon {
namespace {

template <class V> constexpr const char* type_name() {
  if constexpr (std::is_same_v<V, std::int64_t>) return "int";
  if constexpr (std::is_same_v<V, double>) return "float";
  if constexpr (std::is_same_v<V, bool>) return "bool";
  return "string";
}

/// Checks a value against `allowed`; for a file, also the form of its name.
template <class V> bool is_good(const Allowed& allowed, const V& value) {
  if constexpr (std::is_same_v<V, std::string>)
    if (allowed.is_file) return value.empty() || file_parameter(value);
  return is_allowed(allowed, value);
}

template <class V> bool has_type(const Json& j) {
  if constexpr (std::is_same_v<V, std::int64_t>) return j.is_number_integer();
  if constexpr (std::is_same_v<V, double>) return j.is_number();
  if constexpr (std::is_same_v<V, bool>) return j.is_boolean();
  return j.is_string();
}

using Leaves = std::vector<std::pair<std::string, Json>>;

void collect_leaves(const Json& json, const std::string& prefix, Leaves& out) {
  for (const auto& [key, value] : json.items()) {
    const std::string path = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object())
      collect_leaves(value, path, out);
    else if (path != "scenario") // the name of the run, which is copied into the result and is no parameter
      out.emplace_back(path, value);
  }
}

/// The parameter's place, created if missing. A json_pointer is not used, as it copies the path's words.
Json& place_of(Json& json, std::string_view path) {
  const std::size_t dot = path.find('.');
  Json& within = json[std::string(path.substr(0, dot))];
  return dot == std::string_view::npos ? within : place_of(within, path.substr(dot + 1));
}

std::string nearest_parameter(const Spec& spec, const std::string& given) {
  std::vector<std::string> paths;
  spec.for_each_field([&](const std::string& path, const FieldInfo&, const auto&) { paths.push_back(path); });
  return nearest_word(given, paths);
}

template <class V> void set(V& member, const std::string& path, const FieldInfo& field, const Json& value) {
  if (!has_type<V>(value) || !is_good(field.allowed, value.template get<V>()))
    throw UserError(path + " = " + value.dump() + ": must be " + what_is_allowed<V>(field.allowed));
  member = value.template get<V>();
}

template <class V> void set(V* member, const std::string& path, const FieldInfo& field, const Json& value) {
  set(*member, path, field, value);
}
void set(ChoiceAt choice, const std::string& path, const FieldInfo& field, const Json& value) {
  std::string word;
  set(word, path, field, value);
  choice.set(word);
}

/// `visit` visits the specification's parameters, at least those that `leaves` may name.
void assign(Spec& spec, std::span<const Leaves::value_type> leaves,
            const std::function<void(const VisitField&)>& visit) {
  std::unordered_map<std::string_view, const Json*> left;
  for (const auto& [given, value] : leaves) left[given] = &value;
  visit([&](const std::string& path, const FieldInfo& field, ValueAt at) {
    const auto leaf = left.find(path);
    if (leaf == left.end()) return;
    std::visit([&](auto member) { set(member, path, field, *leaf->second); }, at);
    left.erase(leaf);
  });
  for (const auto& [given, value] : leaves)
    if (left.contains(given))
      throw UserError(given + " = " + value.dump() + ": no such parameter; did you mean " +
                      nearest_parameter(spec, given) + "?");
}

void assign(Spec& spec, std::span<const Leaves::value_type> leaves) {
  assign(spec, leaves, [&](const VisitField& visit) { spec.visit(visit); });
}

/// Gives own parameters to the instance that the path names.
void add_own(Spec& spec, const NumberedPath& at, const std::string& given, const Json& value) {
  const SectionKind* kind = find_section(at.section).section;
  if (kind != nullptr && kind->is_several()) {
    if (const std::string why = kind->no_such(spec, at.number); !why.empty())
      throw UserError(given + " = " + value.dump() + ": no such " + kind->each + "; " + why);
    spec.section(kind->type).own(at.number);
  }
  spec.for_each_field([&](const std::string& path, const FieldInfo& field, const auto&) {
    if (path == at.common && !field.may_differ)
      throw UserError(given + " = " + value.dump() + ": is the same of all; set " + path);
  });
}

/// Checks that the specification's values do not contradict each other.
void check(const Spec& spec) {
  for (const Part& part : parts())
    if (part.check != nullptr) part.check(spec);
}

} // namespace

Spec spec_from_json(const Json& json) {
  if (!json.is_object()) throw UserError("the specification must be a JSON object");
  Leaves leaves;
  collect_leaves(json, "", leaves);
  // An instance's own parameters start from the common ones, wherever they are in the text.
  const auto numbered =
      std::stable_partition(leaves.begin(), leaves.end(), [](const auto& leaf) { return !numbered_path(leaf.first); });
  Spec spec;
  assign(spec, {leaves.begin(), numbered});
  for (const auto& [given, value] : std::span(numbered, leaves.end()))
    add_own(spec, *numbered_path(given), given, value);
  assign(spec, {numbered, leaves.end()});
  check(spec);
  return spec;
}

Spec changed(Spec spec, const Json& changes) {
  if (!changes.is_object()) throw UserError("the changes must be a JSON object");
  Leaves leaves;
  collect_leaves(changes, "", leaves);
  const auto refuse_numbered = [](const std::string& path) {
    if (numbered_path(path)) throw std::invalid_argument(path + ": single ones start from those of all");
  };
  for (const auto& [given, value] : leaves) refuse_numbered(given);
  const auto any = [&](auto&& is) {
    return std::ranges::any_of(leaves, [&](const auto& leaf) { return is(section_of(leaf.first)); });
  };
  assign(spec, leaves, [&](const VisitField& visit) {
    const VisitField common = [&](const std::string& path, const FieldInfo& field, ValueAt at) {
      refuse_numbered(path);
      visit(path, field, at);
    };
    if (any([](std::string_view name) { return find_section(name).section == nullptr; }))
      spec.visit(common);
    else // the order is the same
      for (const Part& part : parts())
        for (const SectionKind& kind : part.sections)
          if (any([&](std::string_view name) { return name == kind.name; }))
            kind.visit(spec.section(kind.type), kind.name, common);
  });
  check(spec);
  return spec;
}

Json to_json(const Spec& spec) {
  Json json;
  spec.for_each_field([&](const std::string& path, const FieldInfo&, const auto& value) {
    const auto at = numbered_path(path);
    if (at && place_of(json, at->common) == value) return; // equal to the common value
    place_of(json, path) = value;
  });
  return json;
}

Json describe_parameters() {
  Json list = Json::array();
  const Spec defaults;
  defaults.for_each_field([&](const std::string& path, const FieldInfo& field, const auto& value) {
    const Allowed& a = field.allowed;
    Json p;
    p["path"] = path;
    p["type"] = type_name<std::remove_cvref_t<decltype(value)>>();
    p["unit"] = field.unit;
    p["default"] = value;
    if (a.min != 0 || a.max != 0) p["min"] = a.min, p["max"] = a.max;
    if (a.multiple_of > 1) p["multiple_of"] = a.multiple_of;
    if (a.power_of_two) p["power_of_two"] = true;
    if (a.is_file) p["kind"] = a.is_program ? "program" : a.is_folder ? "folder" : "file";
    if (a.is_assignments) p["kind"] = "assignments";
    if (a.is_catalogue) p["kind"] = "catalogue";
    for (const std::string_view choice : a.choices) p["choices"].push_back(choice);
    const SectionKind* section = find_section(section_of(path)).section;
    if (section != nullptr && section->is_several() && field.may_differ) p["several"] = true;
    if (section != nullptr && section->is_behind_ports) p["behind_ports"] = true;
    if (!field.runs.empty()) p["runs"] = field.runs;
    for (const Implied& one : field.implied)
      p["implied"].push_back({{"by", one.by}, {"value", one.value}, {"when", one.when}});
    p["description"] = field.description;
    p["source"] = field.source;
    list.push_back(std::move(p));
  });
  return list;
}

} // namespace hypermon

#include "platforms/spec/json.hpp"
#include "platforms/spec/check.hpp"
#include "platforms/spec/file_parameter.hpp"
#include "platforms/spec/path.hpp"
#include "platforms/spec/recording.hpp"
#include "platforms/spec/user_error.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <span>
#include <sstream>
#include <unordered_map>
#include <vector>

namespace hypermon {
namespace {

using Json = nlohmann::ordered_json;

template <class V> constexpr const char* type_name() {
  if constexpr (std::is_same_v<V, std::int64_t>) return "int";
  if constexpr (std::is_same_v<V, double>) return "float";
  if constexpr (std::is_same_v<V, bool>) return "bool";
  return "string";
}

std::string number(double v) {
  std::ostringstream out;
  out.precision(15);
  out << v;
  return out.str();
}

std::string allowed_text(const Allowed& a) {
  if (a.is_file) return "\"/path@sha256:<64 hexadecimal digits>\" of a file, or empty";
  if (a.n_choices > 0) {
    std::string text = "one of";
    for (std::size_t i = 0; i < a.n_choices; ++i) text += (i > 0 ? ", " : " ") + std::string(a.choices[i]);
    return text;
  }
  std::string text = number(a.min) + " to " + number(a.max);
  if (a.multiple_of > 1) text += ", a multiple of " + std::to_string(a.multiple_of);
  if (a.power_of_two) text = "a power of two from " + text;
  return text;
}

bool has_range(const Allowed& a) { return a.min != 0 || a.max != 0; }

bool is_allowed(const Allowed& a, const std::string& v) {
  if (a.is_file) return v.empty() || file_parameter(v);
  const auto* end = a.choices.begin() + a.n_choices;
  return a.n_choices == 0 || std::find(a.choices.begin(), end, v) != end;
}
bool is_allowed(const Allowed&, bool) { return true; }
bool is_allowed(const Allowed& a, double v) {
  return std::isfinite(v) && (!has_range(a) || (v >= a.min && v <= a.max));
}
bool is_allowed(const Allowed& a, std::int64_t v) {
  return is_allowed(a, static_cast<double>(v)) && v % a.multiple_of == 0 &&
         (!a.power_of_two || std::has_single_bit(static_cast<std::uint64_t>(v)));
}

template <class V> bool has_type(const Json& j) {
  if constexpr (std::is_same_v<V, std::int64_t>) return j.is_number_integer();
  if constexpr (std::is_same_v<V, double>) return j.is_number();
  if constexpr (std::is_same_v<V, bool>) return j.is_boolean();
  return j.is_string();
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1] ? 1 : 0)});
      diagonal = above;
    }
  }
  return row.back();
}

using Leaves = std::vector<std::pair<std::string, Json>>;

void collect_leaves(const Json& json, const std::string& prefix, Leaves& out) {
  for (const auto& [key, value] : json.items()) {
    const std::string path = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object())
      collect_leaves(value, path, out);
    else if (path != "scenario") // the name of what is run: carried into the result, no parameter
      out.emplace_back(path, value);
  }
}

Json::json_pointer pointer(std::string path) {
  std::replace(path.begin(), path.end(), '.', '/');
  return Json::json_pointer("/" + path);
}

template <class V> std::string what_is_allowed(const Allowed& a) {
  if (std::is_same_v<V, bool>) return "true or false";
  const std::string type = type_name<V>();
  return has_range(a) || a.n_choices > 0 || a.is_file ? type + ", " + allowed_text(a) : type;
}

std::string nearest(const Spec& spec, const std::string& given) {
  std::string result;
  std::size_t least = std::string::npos;
  for_each_field(spec, "", [&](const std::string& path, const FieldInfo&, const auto&) {
    if (const auto d = edit_distance(given, path); d < least) result = path, least = d;
  });
  return result;
}

void assign(Spec& spec, std::span<const Leaves::value_type> leaves) {
  std::unordered_map<std::string_view, const Json*> left;
  for (const auto& [given, value] : leaves) left[given] = &value;
  for_each_field(spec, "", [&](const std::string& path, const FieldInfo& field, auto& member) {
    const auto leaf = left.find(path);
    if (leaf == left.end()) return;
    using V = std::remove_cvref_t<decltype(member)>;
    const Json& value = *leaf->second;
    if (!has_type<V>(value) || !is_allowed(field.allowed, value.template get<V>()))
      throw UserError(path + " = " + value.dump() + ": must be " + what_is_allowed<V>(field.allowed));
    member = value.template get<V>();
    left.erase(leaf);
  });
  for (const auto& [given, value] : leaves)
    if (left.contains(given))
      throw UserError(given + " = " + value.dump() + ": no such parameter; did you mean " + nearest(spec, given) + "?");
}

/// Makes the board that the path names one with parameters of its own.
void add_board(Spec& spec, const BoardPath& at, const std::string& given, const Json& value) {
  for_each_section(spec, [&](std::string_view section, auto& part) {
    if constexpr (is_per_board<std::remove_cvref_t<decltype(part)>>)
      if (section == at.section) {
        if (at.board >= spec.boards())
          throw UserError(given + " = " + value.dump() + ": no such board; nodes = " + std::to_string(spec.nodes) +
                          " with ecb.inputs = " + std::to_string(spec.ecb.inputs) + " need boards 0 to " +
                          std::to_string(spec.boards() - 1));
        part.own(at.board);
      }
  });
  for_each_field(spec, "", [&](const std::string& path, const FieldInfo& field, const auto&) {
    if (path == at.common && !field.per_board)
      throw UserError(given + " = " + value.dump() + ": is the same on all boards; set " + path);
  });
}

} // namespace

Spec spec_from_json(const Json& json) {
  if (!json.is_object()) throw UserError("the specification must be a JSON object");
  Leaves leaves;
  collect_leaves(json, "", leaves);
  // A board's own parameters start from those of all boards, wherever they stand.
  const auto of_boards =
      std::stable_partition(leaves.begin(), leaves.end(), [](const auto& leaf) { return !board_path(leaf.first); });
  Spec spec;
  assign(spec, {leaves.begin(), of_boards});
  for (const auto& [given, value] : std::span(of_boards, leaves.end()))
    add_board(spec, *board_path(given), given, value);
  assign(spec, {of_boards, leaves.end()});
  check_together(spec);
  return spec;
}

Json to_json(const Spec& spec) {
  Json json;
  for_each_field(spec, "", [&](const std::string& path, const FieldInfo&, const auto& value) {
    const auto at = board_path(path);
    if (at && json.at(pointer(at->common)) == value) return; // as on all boards
    json[pointer(path)] = value;
  });
  return json;
}

Json describe_parameters() {
  Json list = Json::array();
  Spec defaults;
  std::set<std::string_view> per_board;
  for_each_section(defaults, [&](std::string_view name, const auto& part) {
    if (is_per_board<std::remove_cvref_t<decltype(part)>>) per_board.insert(name);
  });
  for_each_field(defaults, "", [&](const std::string& path, const FieldInfo& field, const auto& value) {
    const Allowed& a = field.allowed;
    Json p;
    p["path"] = path;
    p["type"] = type_name<std::remove_cvref_t<decltype(value)>>();
    p["unit"] = field.unit;
    p["default"] = value;
    if (has_range(a)) p["min"] = a.min, p["max"] = a.max;
    if (a.multiple_of > 1) p["multiple_of"] = a.multiple_of;
    if (a.power_of_two) p["power_of_two"] = true;
    if (a.is_file) p["kind"] = a.is_program ? "program" : a.is_folder ? "folder" : "file";
    if (a.is_assignments) p["kind"] = "assignments";
    if (a.is_catalogue) p["kind"] = "catalogue";
    for (std::size_t i = 0; i < a.n_choices; ++i) p["choices"].push_back(a.choices[i]);
    if (field.per_board && per_board.contains(path.substr(0, path.find('.')))) p["per_board"] = true;
    if (is_behind_ports(path)) p["behind_ports"] = true;
    p["description"] = field.description;
    p["source"] = field.source;
    list.push_back(std::move(p));
  });
  return list;
}

} // namespace hypermon

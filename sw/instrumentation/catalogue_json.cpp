// SPDX-License-Identifier: BSD-3-Clause
#include "sw/instrumentation/catalogue_json.hpp"
#include "base/listing.hpp"
#include "base/user_error.hpp"
#include "sw/instrumentation/codes.hpp"
#include "sw/instrumentation/params.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace hypermon {

namespace {

constexpr std::array classes{EventClass::message, EventClass::process_state, EventClass::system_call, EventClass::mpi,
                             EventClass::application};
constexpr double max_cost_us = 1e6;

[[noreturn]] void refuse(const std::string& place, const std::string& why) { throw UserError(place + ": " + why); }
[[noreturn]] void refuse(const std::string& place, const Json& value, const std::string& why) {
  throw UserError(place + " = " + (value.is_string() ? value.get<std::string>() : value.dump()) + ": " + why);
}

/// Compares a number's value, whatever its JSON type.
bool is_within(const Json& number, double least, double most) {
  const auto value = number.get<double>();
  return value >= least && value <= most;
}

/// Reads one event of a catalogue; knows its place for error messages.
class Entry {
public:
  Entry(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object()) refuse(place_, "must be a mapping");
    constexpr std::array<std::string_view, 6> keys{"name", "point", "class", "code", "arguments", "cost_us"};
    for (const auto& [key, value] : json.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        refuse(place_ + "." + key, "no such key; there are name, point, class, code, arguments, cost_us");
  }

  EventRow row() const {
    EventRow row;
    row.name = name();
    row.point = point();
    row.event_class = event_class(row.point);
    row.code = code();
    row.arguments = arguments(row.point);
    row.cost_us = cost_us();
    return row;
  }

private:
  std::string at(const char* key) const { return place_ + "." + key; }
  std::string text(const char* key) const {
    const Json* value = json_.find(key);
    if (value == nullptr) refuse(place_, std::string("`") + key + "` is missing");
    if (!value->is_string() || value->get<std::string>().empty()) refuse(at(key), *value, "must be text");
    return value->get<std::string>();
  }

  std::string name() const {
    std::string name = text("name");
    const bool good = std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
    });
    if (!good) refuse(at("name"), name, "must be of letters, digits, `_`, `.` and `-`");
    return name;
  }
  Point point() const {
    const std::string name = text("point");
    const auto point = point_named(name);
    if (!point)
      refuse(at("point"), name,
             "no such point; there are nx2.<event>, user, user.0 to user.15, mpi.<MPI_Function>.enter and .leave "
             "(hypermon events --points)");
    return *point;
  }
  EventClass event_class(Point point) const {
    if (!json_.contains("class")) return info_of(point).event_class;
    const std::string given = text("class");
    for (const EventClass c : classes)
      if (hypermon::name(c) == given) return c;
    refuse(at("class"), given, "must be message, process_state, system_call, mpi or application");
  }
  std::uint8_t code() const {
    const Json* value = json_.find("code");
    if (value == nullptr) return 0; // to be assigned
    if (!value->is_number_integer() || !is_within(*value, 0, 255) || !may_be_code(value->get<unsigned>()))
      refuse(at("code"), *value, "must be a byte whose two nibbles differ (0x01 to 0xFE, without 0x11, 0x22, ...)");
    return value->get<std::uint8_t>();
  }
  std::vector<Argument> arguments(Point point) const {
    const Json* value = json_.find("arguments");
    if (value == nullptr) return {};
    const std::string place = at("arguments");
    if (!value->is_object()) refuse(place, *value, "must be a mapping of data to bytes, such as {peer: 2, bytes: 4}");
    if (value->size() > max_arguments) refuse(place, "an event has at most three arguments (13 data bytes)");
    std::vector<Argument> arguments;
    const auto known = info_of(point).items;
    for (const auto& [key, bytes] : value->items()) {
      const auto item = item_named(key);
      if (!item || std::find(known.begin(), known.end(), *item) == known.end()) {
        std::string list;
        for (const Item i : known) add_to_list(list, item_table[index(i)].name);
        refuse(place + "." + key, info_of(point).name + " has no such datum; it has " + list);
      }
      if (!bytes.is_number_integer() || (bytes != 1 && bytes != 2 && bytes != 4))
        refuse(place + "." + key, bytes, "must be 1, 2 or 4 bytes");
      arguments.push_back({*item, bytes.get<std::uint8_t>()});
    }
    return arguments;
  }
  double cost_us() const {
    const Json* value = json_.find("cost_us");
    if (value == nullptr) return 0;
    if (!value->is_number() || !is_within(*value, 0, max_cost_us))
      refuse(at("cost_us"), *value, "must be a number from 0 to 1000000 us");
    return value->get<double>();
  }

  const Json& json_;
  std::string place_;
};

std::string place_of(std::size_t event) { return "events[" + std::to_string(event) + "]"; }

std::string hex(std::uint8_t code) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  return {'0', 'x', digits[code >> 4], digits[code & 0xFU]};
}

/// Checks the rules that concern several rows.
void check_rows(const std::vector<EventRow>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const EventRow& a = rows[i];
      const EventRow& b = rows[j];
      if (a.name == b.name) refuse(place_of(i) + ".name", a.name, "is the name of " + place_of(j) + " too");
      if (a.point == b.point)
        refuse(place_of(i) + ".point", info_of(a.point).name, "is that of " + b.name + " too; a point emits one event");
      if (a.code == 0 || b.code == 0) continue;
      if (a.code == b.code) refuse(place_of(i) + ".code", hex(a.code), "is the code of " + b.name + " too");
      if ((a.code & 0xF) == (b.code & 0xF) && a.hardware_nibbles() != b.hardware_nibbles())
        refuse(place_of(i) + ".code", hex(a.code),
               "has the low nibble of " + b.name + "'s " + hex(b.code) + " but another length (" +
                   std::to_string(a.hardware_nibbles()) + " and " + std::to_string(b.hardware_nibbles()) +
                   " nibbles): a decoder must know an event's length from the low nibble of its code");
    }
}

Catalogue read_json(const Json& json) {
  if (!json.is_object()) refuse("catalogue", "must be a mapping with `name` and `events`");
  for (const auto& [key, value] : json.items())
    if (key != "name" && key != "events") refuse(key, "no such key; there are name, events");
  if (!json.contains("name") || !json["name"].is_string()) refuse("name", "must be text");
  if (!json.contains("events") || !json["events"].is_array() || json["events"].empty())
    refuse("events", "must be a list of at least one event");
  const auto name = json["name"].get<std::string>();
  std::vector<EventRow> rows;
  for (const Json& event : json["events"]) rows.push_back(Entry(event, place_of(rows.size())).row());
  check_rows(rows);
  if (const auto row = assign_codes(rows))
    refuse(place_of(*row), "no code is left for an event of " + std::to_string(rows[*row].hardware_nibbles()) +
                               " nibbles: a low nibble of a code stands for one length and for at most 15 events");
  if (name == Catalogue::nx2().name()) {
    if (rows != Catalogue::nx2().rows())
      refuse("name", name, "is the built-in catalogue's, and these are not its events");
    return Catalogue::nx2();
  }
  return {name, std::move(rows)};
}

Json arguments_of(const EventRow& row) {
  Json arguments = Json::object();
  for (const Argument& a : row.arguments) arguments[std::string(item_table[index(a.item)].name)] = a.bytes;
  return arguments;
}

Json to_json(const EventRow& row) {
  return {{"name", row.name}, {"point", info_of(row.point).name}, {"class", name(row.event_class)},
          {"code", row.code}, {"arguments", arguments_of(row)},   {"cost_us", row.cost_us}};
}

} // namespace

Catalogue read_catalogue(const std::string& value) {
  if (value == Catalogue::nx2().name()) return Catalogue::nx2();
  Json json;
  try {
    json = Json::parse(value);
  } catch (const JsonError&) {
    throw UserError(value.substr(0, 40) + ": must be nx2, or a catalogue as JSON (hypermon reads YAML files)");
  }
  return read_json(json);
}

std::size_t catalogue_size(const Spec& spec) {
  return read_catalogue(spec.get<InstrumentationParams>().catalogue).size();
}

std::string catalogue_value(const Catalogue& catalogue) {
  if (catalogue.name() == Catalogue::nx2().name()) return catalogue.name();
  Json events = Json::array();
  for (const EventRow& row : catalogue.rows()) events.push_back(to_json(row));
  return Json{{"name", catalogue.name()}, {"events", std::move(events)}}.dump();
}

Json describe(const Catalogue& catalogue) {
  Json list = Json::array();
  for (const EventRow& row : catalogue.rows()) {
    const PointInfo point = info_of(row.point);
    Json event = to_json(row);
    event["data_bytes"] = row.data_bytes();
    event["software_bytes"] = row.software_bytes();
    event["hardware_nibbles"] = row.hardware_nibbles();
    event["emitted"] = point.emitted;
    event["source"] = point.source;
    list.push_back(std::move(event));
  }
  return list;
}

Json describe_points() {
  Json list = Json::array();
  for (std::size_t i = 0; i < points; ++i) {
    const PointInfo info = info_of(static_cast<Point>(i));
    Json known = Json::array();
    for (const Item item : info.items) known.push_back(item_table[index(item)].name);
    list.push_back(
        {{"point", info.name}, {"class", name(info.event_class)}, {"emitted", info.emitted}, {"data", known}});
  }
  Json data = Json::object();
  for (const ItemInfo& item : item_table) data[std::string(item.name)] = item.meaning;
  return {{"points", std::move(list)}, {"data", std::move(data)}};
}

} // namespace hypermon

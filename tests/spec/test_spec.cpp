#include "platforms/spec/json.hpp"
#include "platforms/spec/user_error.hpp"

#include "tests/catch.hpp"

#include <set>

using namespace hypermon;
using Json = nlohmann::ordered_json;

namespace {

std::string error_of(const char* text) {
  try {
    spec_from_json(Json::parse(text));
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

} // namespace

TEST_CASE("what is not given has its default, what is given is taken") {
  const Spec spec = spec_from_json(Json::parse(R"({"nodes": 4, "ecb": {"window_ns": 400}})"));
  CHECK(spec.nodes == 4);
  CHECK(spec.ecb.window_ns == 400);
  CHECK(spec.ecb.frame_fifo_frames == Spec{}.ecb.frame_fifo_frames);
}

TEST_CASE("a specification written and read again is the same") {
  Spec spec;
  spec.nodes = 16;
  spec.reader.kind = "group";
  spec.port.nibble_cost_ns = 11060;
  const Json json = to_json(spec);
  CHECK(to_json(spec_from_json(json)) == json);
}

TEST_CASE("an error names the parameter's path, its value and what is allowed") {
  const std::string window = error_of(R"({"ecb": {"window_ns": 30}})");
  CHECK(says(window, "ecb.window_ns = 30"));
  CHECK(says(window, "a multiple of 50"));
  CHECK(says(error_of(R"({"nodes": 3})"), "a power of two"));
  CHECK(says(error_of(R"({"nodes": 256})"), "1 to 128"));
  CHECK(says(error_of(R"({"nodes": 2.5})"), "must be int"));
  CHECK(says(error_of(R"({"monitor": "hpvm"})"), "one of none, software, hypermon"));
  CHECK(says(error_of(R"({"port": {"delay": -1}})"), "port.delay = -1"));
}

TEST_CASE("an unknown key is refused with the nearest valid one") {
  CHECK(says(error_of(R"({"ecb": {"windw_ns": 400}})"), "did you mean ecb.window_ns?"));
  CHECK(says(error_of(R"({"node": 4})"), "did you mean nodes?"));
}

TEST_CASE("every parameter has a description and a source, and a path of its own") {
  std::set<std::string> paths;
  for (const auto& p : describe_parameters()) {
    INFO(p["path"]);
    CHECK(paths.insert(p["path"].get<std::string>()).second);
    CHECK(!p["description"].get<std::string>().empty());
    CHECK(!p["source"].get<std::string>().empty());
  }
  CHECK(paths.size() > 50);
}

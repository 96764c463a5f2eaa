// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/project_text.hpp"

#include <set>

namespace hypermon::hdtrace {
namespace {

std::string quoted(const std::string& text) { return "\"" + escaped(text) + "\""; }

std::string topology(const ProjectContent& content) {
  std::string text = " <Topology>\n  <Level type=\"Hostname\"><Level type=\"Rank\"><Level type=\"Thread\">"
                     "<Level type=\"Layer\"></Level></Level></Level></Level>\n";
  for (const ProjectContent::Host& host : content.hosts) {
    text += "  <Node name=" + quoted(host.name) + (host.ranks.empty() ? " type=\"Layer\">\n" : ">\n");
    for (const int rank : host.ranks) {
      text += "   <Node name=\"" + std::to_string(rank) + "\">\n    <Node name=\"0\">";
      if (const auto layers = content.client_layers.find(rank); layers != content.client_layers.end())
        for (const std::string& layer : layers->second) text += "<Node name=" + quoted(layer) + "/>";
      text += "</Node>\n   </Node>\n";
    }
    for (const std::string& layer : host.layers) text += "   <Node name=" + quoted(layer) + "/>\n";
    text += "  </Node>\n";
  }
  return text + " </Topology>\n";
}

std::string communicators(const ProjectContent& content) {
  // Each rank numbers communicators in the order of their first use. Two are the same if they have the same members and
  // the same position among those with these members.
  std::map<std::pair<std::vector<int>, std::size_t>, std::map<int, std::int64_t>> found;
  std::set<std::pair<std::vector<int>, std::size_t>> worlds;
  for (const auto& [rank, known] : content.known) {
    std::map<std::vector<int>, std::size_t> met;
    for (const Known::Communicator& one : known.communicators) {
      const std::pair key{one.members, met[one.members]++};
      found[key][rank] = one.number;
      if (one.is_world) worlds.insert(key);
    }
  }
  std::string text = " <CommunicatorList>\n";
  for (const auto& [key, numbers] : found) {
    text += std::string("  <Communicator name=\"") + (worlds.contains(key) ? "WORLD" : "") + "\">\n";
    for (std::size_t local = 0; local < key.first.size(); ++local) {
      const auto number = numbers.find(key.first[local]);
      if (number == numbers.end()) continue; // this rank never used it
      text += "   <Rank global=\"" + std::to_string(key.first[local]) + "\" local=\"" + std::to_string(local) +
              "\" cid=\"" + std::to_string(number->second) + "\"/>\n";
    }
    text += "  </Communicator>\n";
  }
  return text + " </CommunicatorList>\n";
}

std::string types(const ProjectContent& content) {
  std::string text = " <Datatypes>\n";
  for (const auto& [rank, known] : content.known) {
    if (known.types.empty()) continue;
    text += "  <Rank name=\"" + std::to_string(rank) + "\" thread=\"0\">\n";
    std::map<std::int64_t, std::int64_t> by_bytes;
    for (const Known::Type& one : known.types) by_bytes[one.bytes] = one.number;
    for (const Known::Type& one : known.types) {
      const std::string id = " id=\"" + std::to_string(one.number) + "\"";
      if (one.bytes == 1 || one.bytes == 4 || one.bytes == 8)
        text += "   <NAMED" + id + " name=\"" +
                (one.bytes == 8   ? "MPI_DOUBLE"
                 : one.bytes == 4 ? "MPI_INT"
                                  : "MPI_BYTE") +
                "\"/>\n";
    }
    for (const Known::Type& one : known.types)
      if (one.bytes != 1 && one.bytes != 4 && one.bytes != 8)
        text += "   <CONTIGUOUS id=\"" + std::to_string(one.number) + "\" name=\"\" count=\"" +
                std::to_string(one.bytes) + "\" oldType=\"" + std::to_string(by_bytes[1]) + "\"/>\n";
    text += "  </Rank>\n";
  }
  return text + " </Datatypes>\n";
}

} // namespace

std::string project_text(const ProjectContent& content) {
  std::size_t processes = 0;
  for (const ProjectContent::Host& host : content.hosts) processes += host.ranks.size();
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Application name=" + quoted(content.name) +
                     " processCount=\"" + std::to_string(processes) + "\">\n<Description>" +
                     escaped(content.description) + "</Description>\n <FileList>\n";
  for (const auto& [name, size] : content.files)
    text +=
        "  <File name=" + quoted(name) + ">\n   <InitialSize>" + std::to_string(size) + "</InitialSize>\n  </File>\n";
  text += " </FileList>\n" + topology(content) + communicators(content) + types(content) + "<ExternalStatistics>\n";
  for (const std::string& group : content.groups) text += "\t<" + group + "/>\n";
  return text + "</ExternalStatistics>\n</Application>\n";
}

} // namespace hypermon::hdtrace

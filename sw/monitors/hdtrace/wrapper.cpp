// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/wrapper.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "sw/mpi/file_call.hpp"
#include "sw/os/ranks.hpp"

#include <algorithm>

namespace hypermon::hdtrace {
namespace {

/// The library records no states for reads of the clock.
bool is_traced(MpiFunction function) { return function != MpiFunction::Wtime; }

std::string_view short_name(const MpiCall& call) { return call.name().substr(std::string_view("MPI_").size()); }

/// Numbers of MPICH, for which the wrapper was written.
int mpich_peer(int peer) { return peer == MPI_ANY_SOURCE ? -2 : peer == MPI_PROC_NULL ? -1 : peer; }
int mpich_tag(int tag) { return tag == MPI_ANY_TAG ? -1 : tag; }

bool communicates(const MpiCall& call) {
  return call.bytes() > 0 || !call.requests().empty() || (call.comm() != MPI_COMM_NULL && call.root().has_value());
}

} // namespace

void Wrapper::enter(const RankState& rank, const MpiCall& call) {
  Process* const process = processes_.find(rank.rank);
  if (process == nullptr || process->finished || !is_traced(call.function())) return;
  recording_.work(rank_table().self(), recording_.params().enter_us);
  const Time now = simgrid_now();
  process->call = rank.call.number;
  process->name = short_name(call);
  process->begin = now;
  process->begin_local = recording_.trace_ledger().read(process->node, now);
  process->communicates = nic_by_calls_ && communicates(call);
  process->opens_up = call.comm() != MPI_COMM_NULL && !call.sent().peer && !call.received().peer;
  Metered& power = recording_.power(process->node);
  recording_.phases().enter(process->node, std::string(call.name()), power, now);
  Computer& computer = power.at(now);
  computer.computing(now, -1);
  if (recording_.polls()) computer.waiting(now, 1);
  if (process->communicates) computer.nic(now, 1);
  messages_.enter(rank.rank, call, process->begin_local);
}

void Wrapper::leave(const RankState& rank, const MpiCall& call) {
  Process* const process = processes_.find(rank.rank);
  if (process == nullptr || process->call == 0 || !is_traced(call.function())) return;
  const Time now = simgrid_now();
  const std::size_t node = process->node;
  const Time end = recording_.trace_ledger().read(node, now);
  Metered& power = recording_.power(node);
  recording_.phases().leave(node, std::string(call.name()), power, now);
  Computer& computer = power.at(now);
  if (recording_.polls()) computer.waiting(now, -1);
  computer.computing(now, 1);
  if (process->communicates) computer.nic(now, -1);

  OfRank& known = known_[rank.rank];
  for (const auto& sent : messages_.leave(rank.rank, call))
    if (sent) recording_.trace_ledger().pair(processes_.find(sent->rank)->node, sent->stamp, node, end);
  Attributes attributes = describe(*process, known, call);
  if (process->token) attributes.add("rel", static_cast<std::int64_t>(*process->token));
  const std::uint64_t inner = process->nested.size();
  std::string text = nested(*process, now);
  text += state("", process->name, attributes, process->begin_local, end, completed(known, call));
  process->states += 1 + inner;
  RankState& self = rank_table().self();
  const HdtraceParams& params = recording_.params();
  std::string relation;
  if (process->token) {
    const std::string tail = " t=\"" + std::to_string(*process->token) + "\" time=\"" + stamp(end) + "\"/>";
    relation = "<e" + tail + "<un" + tail + "\n";
  }
  const auto bytes = static_cast<std::int64_t>(text.size() + relation.size() + process->info_text.size());
  recording_.work(self, Time(params.leave_us) * static_cast<std::int64_t>(1 + inner) + Time(params.byte_ns) * bytes);
  if (!process->info_text.empty()) { // the library does not buffer it
    process->info.add(process->info_text);
    recording_.trace_ledger().generate(process->info_text.size(), 0);
    recording_.trace_ledger().deliver(process->info_text.size(), 0);
    process->info_text.clear();
  }
  recording_.write(self, node, process->trace, text, 1 + inner);
  if (!relation.empty()) recording_.write(self, node, process->relations, relation, 0);
  process->call = 0;
  process->token.reset();
  process->nested.clear();
  if (call.function() == MpiFunction::Finalize) finalize(self, *process);
}

void Wrapper::finalize(RankState& rank, Process& process) {
  process.finished = true;
  recording_.flush(rank, process.node, process.trace);
  recording_.flush(rank, process.node, process.relations);
  const Time now = simgrid_now();
  Metered& power = recording_.power(process.node);
  recording_.phases().alive(process.node, -1, power, now);
  power.at(now).computing(now, -1);
}

std::vector<std::string> Wrapper::completed(OfRank& known, const MpiCall& call) const {
  std::vector<std::string> elements;
  for (const MpiCall::Completed& one : call.completed()) {
    if (one.index >= call.requests().size()) continue; // the call was a blocking one
    const auto request = known.requests.extract(call.requests()[one.index]);
    if (request.empty()) continue; // a persistent request, or none
    elements.push_back("For rid='" + std::to_string(request.mapped()) + "'");
    known.free_requests.insert(request.mapped());
  }
  return elements;
}

std::string Wrapper::nested(Process& process, Time now) const {
  if (process.nested.empty()) return {};
  std::ranges::stable_sort(process.nested, {}, &Nested::begin);
  std::string text = "<Nested>\n";
  for (const Nested& one : process.nested) {
    const Time begin = recording_.trace_ledger().read(process.node, std::max(one.begin, process.begin));
    const Time end = recording_.trace_ledger().read(process.node, std::min(one.end, now));
    text += state("  ", one.name, one.attributes, begin, std::max(begin, end));
  }
  return text + "</Nested>\n";
}

std::int64_t Wrapper::communicator(Process& process, OfRank& known, MPI_Comm comm) const {
  const auto next = static_cast<std::int64_t>(known.communicators.size());
  const auto [place, is_new] = known.communicators.emplace(comm, next);
  if (is_new) {
    std::string map;
    std::int64_t local = 0;
    const std::vector<int> members = world_ranks(comm);
    known.described.communicators.push_back({next, members, comm == MPI_COMM_WORLD});
    for (const int global : members) map += std::to_string(global) + "->" + std::to_string(local++) + ";";
    process.info_text += "Comm map='" + map + "' id=" + std::to_string(next) + " name='" +
                         (comm == MPI_COMM_WORLD ? "WORLD" : "") + "'\n";
  }
  return place->second;
}

std::int64_t Wrapper::type(Process& process, OfRank& known, std::int64_t bytes) const {
  const auto next = static_cast<std::int64_t>(known.types.size());
  const auto [place, is_new] = known.types.emplace(bytes, next);
  if (is_new) {
    // Observers know only a type's size, except in calls on files. The type is named after its size.
    const char* const name = bytes == 8 ? "MPI_DOUBLE" : bytes == 4 ? "MPI_INT" : "MPI_BYTE";
    const std::string id = std::to_string(next);
    known.described.types.push_back({next, bytes});
    process.info_text += bytes == 1 || bytes == 4 || bytes == 8
                             ? "Type id='" + id + "' combiner='MPI_COMBINER_NAMED' name='" + name + "'\n"
                             : "Type id='" + id + "' combiner='MPI_COMBINER_CONTIGUOUS' name='' integers='" +
                                   std::to_string(bytes) + ";' addresses='' types='" +
                                   std::to_string(type(process, known, 1)) + ";'\n";
  }
  return place->second;
}

Attributes Wrapper::describe(Process& process, OfRank& known, const MpiCall& call) {
  Attributes a;
  const MpiPart& out = call.sent();
  const MpiPart& in = call.received();
  // Collectives with blocks of equal size report the size of one block, as in the library.
  const auto of_one = [](const MpiPart& part, std::int64_t all) {
    const auto& blocks = part.bytes_by_rank;
    const bool even =
        !blocks.empty() && std::ranges::all_of(blocks, [&](std::int64_t b) { return b == blocks.front(); });
    return even ? all / static_cast<std::int64_t>(blocks.size()) : all;
  };
  const bool has_file = call.file() != nullptr; // describe_file() gives the size
  if (!has_file && (out.bytes > 0 || out.peer)) a.add("size", of_one(out, out.bytes));
  if (!has_file && (in.peer || (in.bytes > 0 && !out.peer))) {
    const bool known_size = call.completed().size() == 1 && in.peer;
    a.add(out.peer || out.bytes > 0 ? "recvSize" : "size",
          known_size ? static_cast<std::int64_t>(call.completed().front().status.count) : of_one(in, in.bytes));
  }
  if (out.peer) a.add("toRank", mpich_peer(*out.peer));
  if (out.tag) a.add("toTag", *out.tag);
  if (in.peer) {
    const bool came = call.completed().size() == 1;
    a.add("fromRank", mpich_peer(came ? call.completed().front().status.MPI_SOURCE : *in.peer));
    a.add("fromTag", mpich_tag(came ? call.completed().front().status.MPI_TAG : in.tag.value_or(0)));
  }
  if (call.root()) a.add("rootRank", *call.root());
  if (call.comm() != MPI_COMM_NULL) a.add("cid", communicator(process, known, call.comm()));
  if (out.type_bytes > 0) {
    a.add("count", of_one(out, out.count));
    a.add("tid", type(process, known, out.type_bytes));
  } else if (in.type_bytes > 0) {
    a.add("count", of_one(in, in.count));
    a.add("tid", type(process, known, in.type_bytes));
  }
  if (const auto made = call.new_request(); made && *made != MPI_REQUEST_NULL) {
    const bool is_free = !known.free_requests.empty();
    const std::int64_t number =
        is_free ? *known.free_requests.begin() : static_cast<std::int64_t>(known.requests.size());
    if (is_free) known.free_requests.erase(number);
    known.requests.insert_or_assign(*made, number);
    a.add("rid", number);
  }
  describe_file(process, known, call, a);
  return a;
}

void Wrapper::describe_file(Process& process, OfRank& known, const MpiCall& call, Attributes& attributes) {
  const FileCall* const file = call.file();
  if (file == nullptr) return;
  // The library numbers files by their names, and gives the name at the first opening.
  const auto next = static_cast<std::int64_t>(known.files.size());
  const auto [place, is_new] = known.files.emplace(file->file, next);
  if (is_new) {
    files_.emplace(file->file, 0);
    process.info_text += "File name=\"" + escaped(file->file) + "\" Size=0 id=" + std::to_string(place->second) + "\n";
  }
  if (call.function() == MpiFunction::File_open) {
    attributes.add("name", file->file);
    attributes.add("flags", file->amode);
  }
  attributes.add("fid", place->second);
  if (file->access != FileCall::Access::none) {
    if (file->offset) attributes.add("offset", *file->offset);
    attributes.add("size", file->bytes);
    attributes.add("memoryPieces", file->memory_pieces);
    attributes.add("filePieces", file->file_pieces);
    if (file->argument) attributes.add("start", *file->argument);
    if (file->memory) {
      attributes.add("memoryType", file->memory->text());
      attributes.add("memoryExtent", file->memory->extent());
    }
    if (file->filetype) {
      attributes.add("fileType", file->filetype->text());
      attributes.add("fileExtent", file->filetype->extent());
    }
  } else if (call.function() == MpiFunction::File_set_view) {
    attributes.add("displacement", file->displacement);
    if (file->etype) attributes.add("etype", file->etype->text());
    if (file->filetype) attributes.add("fileType", file->filetype->text());
  } else if (file->argument) {
    attributes.add("argument", *file->argument);
  }
  std::string hints;
  for (const auto& [key, value] : file->hints) hints += key + "=" + value + ";";
  if (!hints.empty()) attributes.add("hints", hints);
}

std::map<int, Known> Wrapper::known() const {
  std::map<int, Known> all;
  for (const auto& [rank, known] : known_) all.emplace(rank, known.described);
  return all;
}

} // namespace hypermon::hdtrace

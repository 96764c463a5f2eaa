// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/layers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hypermon::hdtrace {
namespace {

constexpr std::array layer_names{"CLIENT", "BMI", "FLOW", "REQ", "SERVER", "TROVE", "DISK"}; // by IoLayer
const char* name_of(IoLayer layer) { return layer_names.at(static_cast<std::size_t>(layer)); }

} // namespace

std::string Layers::host(Station at) const {
  // Servers on nodes are separate processes.
  const std::size_t number = computer(at);
  return "server" + std::to_string(number >= places_ ? number - places_ : number);
}

Metered& Layers::power(Station at) {
  if (is_node(at)) return recording_.power(computer(at));
  Server& server = servers_[at];
  if (!server.power) {
    const Path path{host(at)};
    std::unique_ptr<StatisticsFile> energy;
    if (Time(recording_.power_params().meter_ms) > Time{})
      energy = recording_.statistics(
          path, "Energy",
          {{"Utrms", Column::Type::real, "V"}, {"Itrms", Column::Type::real, "A"}, {"P", Column::Type::real, "W"}});
    server.power = std::make_unique<Metered>(recording_.power_params(), 1, std::move(energy));
    if (const Time period = recording_.params().sample_ms; period > Time{}) {
      server.utilization = recording_.statistics(path, "Utilization",
                                                 {{"CPU_TOTAL", Column::Type::real, "%", "CPU"},
                                                  {"NET_IN", Column::Type::int64, "B", "NET"},
                                                  {"NET_OUT", Column::Type::int64, "B", "NET"},
                                                  {"NET_UTIL", Column::Type::real, "%", "NET_UTIL"},
                                                  {"HDD_READ", Column::Type::int64, "B", "HDD"},
                                                  {"HDD_WRITE", Column::Type::int64, "B", "HDD"},
                                                  {"HDD_UTIL", Column::Type::real, "%", "HDD_UTIL"}});
      server.power->every(period, [this, at](Time end, const Computer& computer) { sample(at, end, computer); });
    }
  }
  return *server.power;
}

/// Called before the first change after `end`, so that traffic and disk have the values of that time.
void Layers::sample(Station at, Time end, const Computer& computer) {
  Server& server = servers_.at(at);
  const Utilization now{.computing = computer.busy(Share::computing),
                        .nic = computer.busy(Share::nic),
                        .disk = computer.busy(Share::disk),
                        .traffic = traffic_(at),
                        .read = server.now.read,
                        .written = server.now.written};
  const Utilization before = std::exchange(server.before, now);
  const double period = Time(recording_.params().sample_ms).seconds();
  const auto share = [&](Time a, Time b) { return 100 * (b - a).seconds() / period; };
  const auto bytes = [](auto a, auto b) { return static_cast<double>(b - a); };
  server.utilization->add(
      end, {share(before.computing, now.computing), bytes(before.traffic.bytes_received, now.traffic.bytes_received),
            bytes(before.traffic.bytes_sent, now.traffic.bytes_sent), share(before.nic, now.nic),
            bytes(before.read, now.read), bytes(before.written, now.written), share(before.disk, now.disk)});
}

void Layers::disk_operation_ends(Time now, const DiskOperation& operation) {
  if (operation.kind == FileRequest::Kind::flush) return;
  const bool writes = operation.kind == FileRequest::Kind::write;
  power(operation.at).at(now); // called first, so that earlier samples do not include it
  if (is_node(operation.at)) {
    if (writes) recording_.disk(computer(operation.at)).serve(operation.bytes);
    return;
  }
  Utilization& own = servers_.at(operation.at).now;
  (writes ? own.written : own.read) += operation.bytes;
}

Layers::Layer& Layers::layer(const IoStep& step, int rank) {
  Path path{host(step.at)};
  if (rank >= 0) path = processes_.find(rank)->path;
  path.emplace_back(name_of(step.layer));
  std::unique_ptr<Layer>& found = layers_[path];
  if (!found) {
    const std::int64_t process = rank >= 0 ? processes_.find(rank)->number() : 100;
    // A process's own relations have the number 0, so layers count from 1.
    found.reset(new Layer{path, static_cast<std::int64_t>(layers_.size()), process, computer(step.at),
                          recording_.output(path, ".rel"), Summary{.path = path}});
    in_order_.push_back(found.get());
  }
  return *found;
}

std::string Layers::cause(const Layer& own, OperationId id, Time now, int& rank) {
  const auto scope = [&](const std::string& host, std::int64_t process, std::int64_t topology, std::uint64_t number) {
    const std::string end = std::to_string(topology) + ":" + std::to_string(number) + "\"";
    if (host != own.path.front()) return " r=\"" + host + ":" + std::to_string(process) + ":" + end;
    if (process != own.process) return " l=\"" + std::to_string(process) + ":" + end;
    return " p=\"" + end;
  };
  if (const auto call = call_of(id)) {
    Process* const process = processes_.find(call->rank);
    if (process == nullptr) return {};
    const auto token = processes_.token(*process, call->call, now);
    return token ? scope(process->path.front(), process->number(), 0, *token) : std::string();
  }
  const auto above = operations_.find(id.number);
  if (above == operations_.end()) return {};
  rank = above->second.rank;
  const Layer& layer = *above->second.layer;
  return scope(layer.path.front(), layer.process, layer.topology, above->second.number);
}

void Layers::begins(Time now, const IoStep& step) {
  if (step.layer == IoLayer::disk)
    disk_operations_.insert_or_assign(step.id.number, DiskOperation{step.at, step.kind, step.bytes});
  if (!recording_.params().layers) return;
  // The rank of a client's operation follows from the MPI call or from the client operation that caused it.
  int rank = -1;
  if (const auto call = call_of(step.cause); call && processes_.find(call->rank) != nullptr) rank = call->rank;
  if (const auto above = operations_.find(step.cause.number); above != operations_.end()) rank = above->second.rank;
  const bool of_client = (step.layer == IoLayer::client || step.layer == IoLayer::bmi) && rank >= 0 &&
                         computer(step.at) == processes_.find(rank)->node;
  Layer& own = layer(step, of_client ? rank : -1);
  int ignored = -1;
  const std::string scope = cause(own, step.cause, now, ignored);
  if (scope.empty() && step.cause) ++own.summary.unrelated;
  const std::uint64_t number = own.next++;
  operations_.insert_or_assign(step.id.number, Operation{&own, number, of_client ? rank : -1, now});
  const std::string head =
      " t=\"" + std::to_string(number) + "\" time=\"" + stamp(recording_.trace_ledger().read(own.computer, now)) + "\"";
  std::string text = "<rel" + head + scope + "/><s name=\"" + escaped(step.name) + "\"" + head;
  if (step.bytes > 0) text += " size=\"" + std::to_string(step.bytes) + "\"";
  if (step.offset >= 0) text += " offset=\"" + std::to_string(step.offset) + "\"";
  text += " fid=\"" + std::to_string(static_cast<std::uint32_t>(step.file)) + "\" kind=\"" +
          (step.kind == FileRequest::Kind::read ? "read" : "write") + "\"/>\n";
  ++own.summary.operations;
  ++own.summary.unfinished;
  write(own, text, 1);
}

void Layers::ends(Time now, OperationId id) {
  if (const auto message = messages_.extract(id.number)) {
    const Message& m = message.mapped();
    if (Process* sender = processes_.find(m.from);
        sender != nullptr && sender->call == m.sender_call && m.place < sender->nested.size())
      sender->nested[m.place].end = now;
    if (Process* receiver = processes_.find(m.to); receiver != nullptr && opens_up(*receiver)) {
      Attributes a;
      a.add("size", m.bytes);
      a.add("fromRank", m.from);
      a.add("algorithm", m.algorithm);
      a.add("step", m.step);
      receiver->nested.push_back({"Recv", std::move(a), m.begin, now});
      if (Process* sender = processes_.find(m.from))
        recording_.trace_ledger().pair(sender->node, m.left, receiver->node,
                                       recording_.trace_ledger().read(receiver->node, now));
    }
    return;
  }
  if (const auto at_disk = disk_operations_.extract(id.number)) disk_operation_ends(now, at_disk.mapped());
  const auto found = operations_.find(id.number);
  if (found == operations_.end() || !found->second.open) return;
  Operation& operation = found->second;
  operation.open = false;
  Layer& own = *operation.layer;
  --own.summary.unfinished;
  own.summary.time += now - operation.begin;
  const std::string tail = " t=\"" + std::to_string(operation.number) + "\" time=\"" +
                           stamp(recording_.trace_ledger().read(own.computer, now)) + "\"/>";
  write(own, "<e" + tail + "<un" + tail + "\n", 0);
}

void Layers::write(Layer& layer, const std::string& text, std::uint64_t events) {
  // A client's library runs on its node and interrupts the program there; servers have their own computers.
  if (layer.computer < recording_.nodes()) {
    const HdtraceParams& params = recording_.params();
    const Time cost = (events > 0 ? Time(params.enter_us) : Time(params.leave_us)) +
                      Time(params.byte_ns) * static_cast<std::int64_t>(text.size());
    recording_.add_cpu(cost);
    interrupt_(NodeId{static_cast<std::uint32_t>(layer.computer)}, cost);
  }
  layer.output.add(text);
  recording_.trace_ledger().generate(text.size(), events);
  recording_.trace_ledger().deliver(text.size(), events);
}

void Layers::begins(Time now, const MessageStep& step) {
  Process* const sender = processes_.find(step.from);
  if (sender == nullptr) return;
  const auto call = call_of(step.cause);
  Message message{.from = step.from,
                  .sender_call = call ? call->call : 0,
                  .place = sender->nested.size(),
                  .to = step.to,
                  .bytes = step.bytes,
                  .step = step.step,
                  .algorithm = step.algorithm,
                  .begin = now,
                  .left = recording_.trace_ledger().read(sender->node, now)};
  if (opens_up(*sender) && message.sender_call == sender->call) {
    Attributes a;
    a.add("size", step.bytes);
    a.add("toRank", step.to);
    a.add("algorithm", step.algorithm);
    a.add("step", step.step);
    sender->nested.push_back({"Send", std::move(a), now});
  } else {
    message.sender_call = 0; // the call is over, so no state contains the message
    message.place = static_cast<std::size_t>(-1);
  }
  messages_.insert_or_assign(step.id.number, message);
}

void Layers::pending(Time now, IoLayer layer, Station at, std::int64_t operations) {
  if (!recording_.params().layers) return;
  Pending& one = pending_[{at, layer}];
  if (!one.file) {
    one.computer = computer(at);
    // On a node, the client's network layer and that of a local server are the same.
    const bool of_node = is_node(at) && (layer == IoLayer::client || layer == IoLayer::bmi);
    one.host = of_node ? recording_.host(computer(at)) : host(at);
    one.file = recording_.statistics({one.host}, name_of(layer), {{name_of(layer), Column::Type::int32, "#"}},
                                     recording_.trace_ledger().begin(one.computer));
  }
  one.most = std::max(one.most, operations);
  one.file->add(recording_.trace_ledger().read(one.computer, now), {static_cast<double>(operations)});
}

void Layers::busy(Time now, Station at, Part part, bool works) {
  if (computer(at) >= recording_.nodes() && computer(at) < places_) return; // a host or a neighbour's node
  Computer& computer = power(at).at(now);
  if (part == Part::interface) computer.nic(now, works ? 1 : -1);
  if (part == Part::disk) computer.disk(now, works ? 1 : -1);
  // The activity of a node's processors follows from its calls. Requests cost a server no CPU time (facts).
  if (part == Part::processor && !is_node(at)) computer.computing(now, works ? 1 : -1);
}

void Layers::close(Time now) {
  for (Layer* layer : in_order_) {
    const Time shift = recording_.trace_ledger().shift(layer->computer);
    layer->output.close(relations_begin(layer->path.front(), layer->process, layer->topology, shift), relations_end);
  }
  for (auto& [place, one] : pending_) one.file->close(recording_.trace_ledger().shift(one.computer));
  for (auto& [at, server] : servers_) {
    server.power->at(now);
    if (server.power->energy() != nullptr) server.power->energy()->close({});
    if (server.utilization) server.utilization->close({});
  }
}

std::vector<Layers::Summary> Layers::summaries() const {
  std::vector<Summary> all;
  for (const Layer* layer : in_order_) all.push_back(layer->summary);
  for (const auto& [place, one] : pending_) {
    const Path path{one.host, name_of(place.second)};
    auto found = std::ranges::find(all, path, &Summary::path);
    if (found == all.end()) found = all.insert(all.end(), Summary{.path = path});
    found->most_pending = one.most;
  }
  return all;
}

std::map<std::string, std::vector<std::string>> Layers::servers() const {
  std::map<std::string, std::vector<std::string>> found;
  for (const auto& [at, server] : servers_) found[host(at)];
  for (const auto& [place, one] : pending_)
    if (one.host == host(place.first)) found[one.host];
  for (const Layer* layer : in_order_)
    if (layer->path.size() == 2) found[layer->path.front()].push_back(layer->path.back());
  return found;
}

std::map<int, std::vector<std::string>> Layers::clients() const {
  std::map<int, std::vector<std::string>> found;
  for (const Layer* layer : in_order_)
    if (layer->path.size() > 2) found[std::stoi(layer->path[1])].push_back(layer->path.back());
  return found;
}

std::vector<std::string> Layers::groups() const {
  std::vector<std::string> found;
  for (const auto& [place, one] : pending_)
    if (std::ranges::find(found, one.file->group()) == found.end()) found.push_back(one.file->group());
  return found;
}

std::vector<const Metered*> Layers::server_power() const {
  std::vector<const Metered*> found;
  for (const auto& [at, server] : servers_) found.push_back(server.power.get());
  return found;
}

} // namespace hypermon::hdtrace

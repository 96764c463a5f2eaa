#include "sw/nx2/script_recorder.hpp"
#include "sw/instrumentation/text_file.hpp"
#include "sw/nx2/nx2.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {
namespace {
constexpr std::size_t actions_at_once = 256;
constexpr std::int32_t unsaid = -1;

std::int32_t peer_of(int peer) {
  if (peer == MPI_ANY_SOURCE) return Action::any;
  return peer == MPI_PROC_NULL ? Action::nobody : peer;
}
std::int32_t tag_of(int tag) { return tag == MPI_ANY_TAG ? Action::any : tag; }

std::uint8_t element_of(const MpiPart& part) {
  return part.type_bytes > 0 && part.type_bytes <= UINT8_MAX ? static_cast<std::uint8_t>(part.type_bytes) : 1;
}
} // namespace

/// One call on its way into the script.
class ScriptRecorder::Call {
public:
  Call(ScriptRecorder& script, const RankState& rank, const MpiCall& call)
      : script_(script), rank_(rank), own_(script.of(rank)), call_(call) {
    ++own_.calls;
  }
  void write();

private:
  void add(Action action) { script_.add(rank_, action); }
  void lost(const std::string& what) {
    auto& [count, first] = script_.lost_[std::string(call_.name()) + ": " + what];
    if (count++ == 0) {
      script_.lost_kinds_.push_back(std::string(call_.name()) + ": " + what);
      first = "rank " + std::to_string(rank_.rank) + ", call " + std::to_string(own_.calls);
    }
  }
  /// An action in the call's communicator; false if that is not in the script.
  bool in_comm(Action& a) {
    if (call_.comm() == MPI_COMM_WORLD) return true;
    if (call_.comm() == MPI_COMM_SELF) {
      a.communicator = Action::self;
      return true;
    }
    const auto found = own_.comms.find(call_.comm());
    if (found == own_.comms.end()) {
      lost("left out, in a communicator that the script does not have");
      return false;
    }
    a.communicator = found->second;
    return true;
  }
  static Action with(Operation operation, const MpiPart& part) {
    Action a;
    a.operation = operation;
    a.element = element_of(part);
    a.size = part.bytes;
    if (part.peer) a.peer = peer_of(*part.peer);
    if (part.tag) a.tag = tag_of(*part.tag);
    return a;
  }

  void message(Operation operation, const MpiPart& part) {
    Action a = with(operation, part);
    if (in_comm(a)) add(a);
  }
  /// One that was given back, or the next.
  template <class Number> static Number new_number(std::vector<Number>& free, Number& next) {
    if (free.empty()) return next++;
    const Number number = free.back();
    free.pop_back();
    return number;
  }
  std::int32_t new_request() { return new_number(own_.free_requests, own_.next_request); }
  void start(Operation operation, const MpiPart& part) {
    Action a = with(operation, part);
    if (in_comm(a))
      a.request = new_request();
    else
      a.request = unsaid;
    own_.requests[*call_.new_request()] = a.request;
    if (a.request != unsaid) add(a);
  }
  void buffered(const MpiPart& part) {
    Action a = with(Operation::isend, part);
    if (!in_comm(a)) return;
    a.request = new_request();
    add(a);
  }
  void prepare(Operation operation, const MpiPart& part) {
    Action a = with(operation, part);
    if (!in_comm(a)) return;
    a.request = new_request();
    own_.persistent[*call_.new_request()] = a;
  }
  void start_persistent() {
    for (const MPI_Request request : call_.requests())
      if (const auto found = own_.persistent.find(request); found != own_.persistent.end()) {
        own_.requests[request] = found->second.request;
        add(found->second);
      }
  }
  void cancel() {
    Action a;
    a.operation = Operation::cancel;
    a.request = number(0);
    if (a.request != unsaid) add(a);
  }
  void free_request() {
    for (const MPI_Request request : call_.requests()) {
      own_.persistent.erase(request);
      own_.requests.erase(request);
    }
  }

  std::int32_t number(std::size_t index) const {
    const auto found = own_.requests.find(call_.requests()[index]);
    return found == own_.requests.end() ? unsaid : found->second;
  }
  void finish(std::size_t index) {
    const MPI_Request request = call_.requests()[index];
    const auto found = own_.requests.find(request);
    if (found == own_.requests.end()) return;
    if (found->second != unsaid && !own_.persistent.contains(request)) own_.free_requests.push_back(found->second);
    own_.requests.erase(found);
  }
  void completed_ones(Operation operation) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < call_.requests().size(); ++i)
      if (number(i) != unsaid) numbers.push_back(number(i));
    Action a;
    a.operation = operation;
    if (operation == Operation::wait || operation == Operation::test) {
      a.request = number(0);
      a.size = call_.completed().empty() ? 0 : 1;
      if (a.request != unsaid || operation == Operation::test) add(a);
    } else {
      if (operation == Operation::waitany && !call_.completed().empty())
        a.request = number(call_.completed().front().index);
      a.list = script_.add_list(numbers);
      add(a);
    }
    for (const auto& done : call_.completed()) finish(done.index);
  }
  /// Calls that complete some of many: waits for those that they completed.
  void waits() {
    for (const auto& done : call_.completed()) {
      Action a;
      a.operation = Operation::wait;
      a.request = number(done.index);
      if (a.request != unsaid) add(a);
      finish(done.index);
    }
  }

  void made(Operation operation) {
    Action a;
    a.operation = operation;
    const MPI_Comm comm = call_.new_comm().value_or(MPI_COMM_NULL);
    if (!in_comm(a)) return;
    std::vector<int> members;
    const std::uint16_t number = new_number(own_.free_comms, own_.next_comm);
    a.request = number;
    if (comm != MPI_COMM_NULL) {
      members = world_ranks(comm);
      own_.comms[comm] = number;
    } else {
      own_.free_comms.push_back(number);
    }
    if (operation == Operation::comm_split) { // the colour and the key that give the same communicator
      const auto me = std::find(members.begin(), members.end(), rank_.rank);
      a.peer = members.empty() ? Action::no_color : *std::min_element(members.begin(), members.end());
      a.tag = static_cast<std::int32_t>(me - members.begin());
    } else if (operation == Operation::comm_create) {
      const auto all = world_ranks(call_.comm());
      std::vector<std::int64_t> ranks;
      for (const int member : members) ranks.push_back(std::find(all.begin(), all.end(), member) - all.begin());
      a.list = script_.add_list(ranks);
    }
    add(a);
  }
  void freed() {
    Action a;
    a.operation = Operation::comm_free;
    if (!in_comm(a)) return;
    own_.free_comms.push_back(a.communicator);
    own_.comms.erase(call_.comm());
    add(a);
  }

  /// `part` is what the rank has, `other` what stands for it under MPI_IN_PLACE, of all ranks.
  void collective(Operation operation, const MpiPart& part, const MpiPart& other) {
    Action a = with(operation, part);
    if (part.type_bytes == 0 && other.type_bytes > 0) {
      a.element = element_of(other);
      a.size = other.bytes / std::max(call_.comm_size(), 1);
    }
    if (call_.root()) a.peer = *call_.root();
    if (in_comm(a)) add(a);
  }
  void collective(Operation operation, const MpiPart& part) { collective(operation, part, part); }
  /// ... with a list of blocks; several lists follow each other.
  void blocks(Operation operation, const MpiPart& part, std::initializer_list<const MpiPart*> lists) {
    Action a = with(operation, part);
    std::vector<std::int64_t> items;
    for (const MpiPart* list : lists) {
      if (list->type_bytes > 0 && part.type_bytes == 0) a.element = element_of(*list);
      if (list->type_bytes > 0 && part.type_bytes > 0 && list->type_bytes != part.type_bytes) a.element = 1;
    }
    for (const MpiPart* list : lists)
      for (const auto bytes : list->bytes_by_rank) items.push_back(bytes / a.element);
    if (call_.root()) a.peer = *call_.root();
    if (!in_comm(a)) return;
    a.list = script_.add_list(items);
    add(a);
  }
  void as_blocking() { own_.requests[*call_.new_request()] = unsaid; }
  void simple(Operation operation, std::int64_t size = 0) {
    Action a;
    a.operation = operation;
    a.size = size;
    add(a);
  }

  ScriptRecorder& script_;
  const RankState& rank_;
  Rank& own_;
  const MpiCall& call_;
};

void ScriptRecorder::Call::write() {
  using F = MpiFunction;
  using O = Operation;
  const MpiPart& out = call_.sent();
  const MpiPart& in = call_.received();
  const F f = call_.function();
  const ScriptUse use = script_use(f);
  if (use.lossy) lost(use.says);
  if (!use.writes) return;
  if (f >= F::Ibarrier && f <= F::Ialltoallw) as_blocking();
  switch (f) {
  case F::Bsend:
    return buffered(out);
  case F::Rsend:
  case F::Send:
    return message(O::send, out);
  case F::Ssend:
    return message(O::ssend, out);
  case F::Recv:
    return message(O::recv, in);
  case F::Ibsend:
  case F::Irsend:
  case F::Isend:
    return start(O::isend, out);
  case F::Issend:
    return start(O::issend, out);
  case F::Irecv:
    return start(O::irecv, in);
  case F::Send_init:
  case F::Bsend_init:
  case F::Rsend_init:
    return prepare(O::isend, out);
  case F::Ssend_init:
    return prepare(O::issend, out);
  case F::Recv_init:
    return prepare(O::irecv, in);
  case F::Start:
  case F::Startall:
    return start_persistent();
  case F::Request_free:
    return free_request();
  case F::Sendrecv:
  case F::Sendrecv_replace:
    message(O::sendrecv, out);
    return message(O::sendrecv_in, in);
  case F::Probe:
    return message(O::probe, in);
  case F::Iprobe: {
    Action a = with(O::iprobe, in);
    a.size = call_.completed().empty() ? 0 : 1;
    if (in_comm(a)) add(a);
    return;
  }
  case F::Wait:
    return completed_ones(O::wait);
  case F::Waitall:
    return completed_ones(O::waitall);
  case F::Waitany:
    return completed_ones(O::waitany);
  case F::Test:
    return completed_ones(O::test);
  case F::Waitsome:
  case F::Testall:
  case F::Testany:
  case F::Testsome:
    return waits();
  case F::Barrier:
  case F::Ibarrier:
    return collective(O::barrier, out);
  case F::Bcast:
  case F::Ibcast:
    return collective(O::bcast, out);
  case F::Reduce:
  case F::Ireduce:
    return collective(O::reduce, out);
  case F::Allreduce:
  case F::Iallreduce:
    return collective(O::allreduce, out);
  case F::Scan:
  case F::Iscan:
    return collective(O::scan, out);
  case F::Exscan:
  case F::Iexscan:
    return collective(O::exscan, out);
  case F::Gather:
  case F::Igather:
    return collective(O::gather, out, in);
  case F::Allgather:
  case F::Iallgather:
    return collective(O::allgather, out, in);
  case F::Scatter:
  case F::Iscatter:
    return collective(O::scatter, in, out);
  case F::Alltoall:
  case F::Ialltoall:
    return collective(O::alltoall, MpiPart{}, in);
  case F::Gatherv:
  case F::Igatherv:
    return blocks(O::gatherv, out, {&in});
  case F::Allgatherv:
  case F::Iallgatherv:
    return blocks(O::allgatherv, out, {&in});
  case F::Scatterv:
  case F::Iscatterv:
    return blocks(O::scatterv, in, {&out});
  case F::Reduce_scatter:
  case F::Ireduce_scatter:
  case F::Reduce_scatter_block:
  case F::Ireduce_scatter_block:
    return blocks(O::reduce_scatter, out, {&out});
  case F::Alltoallv:
  case F::Alltoallw:
  case F::Ialltoallv:
  case F::Ialltoallw:
    return blocks(O::alltoallv, in, {call_.in_place() ? &in : &out, &in});
  case F::Comm_dup:
  case F::Comm_dup_with_info:
    return made(O::comm_dup);
  case F::Comm_split:
  case F::Comm_split_type:
  case F::Cart_sub:
    return made(O::comm_split);
  case F::Comm_create:
  case F::Comm_create_group:
  case F::Cart_create:
    return made(O::comm_create);
  case F::Comm_free:
  case F::Comm_disconnect:
    return freed();
  case F::Cancel:
    return cancel();
  case F::Wtime:
    return simple(O::wtime);
  case F::Pcontrol:
    return simple(O::pcontrol, rank_.measured ? 1 : 0);
  default:
    throw std::logic_error(std::string(call_.name()) + ": the recorder of scripts does not know it");
  }
}

ScriptUse script_use(MpiFunction f) {
  using F = MpiFunction;
  if (f >= F::Ibarrier && f <= F::Ialltoallw) return {true, "as the call that blocks, where it begins", true};
  if ((f >= F::Win_create && f < F::Init) || f >= F::File_open) return {false, "left out", true};
  switch (f) {
  case F::Bsend:
    return {true, "as an MPI_Isend that nobody waits for", true};
  case F::Rsend:
    return {true, "as MPI_Send", true};
  case F::Ibsend:
  case F::Irsend:
    return {true, "as MPI_Isend", true};
  case F::Waitsome:
  case F::Testall:
  case F::Testany:
  case F::Testsome:
    return {true, "as waits for what it completed", true};
  case F::Mprobe:
  case F::Improbe:
  case F::Mrecv:
  case F::Imrecv:
  case F::Request_get_status:
    return {false, "left out", true};
  case F::Comm_dup:
  case F::Comm_dup_with_info:
  case F::Comm_split:
  case F::Comm_split_type:
  case F::Comm_create:
  case F::Comm_create_group:
  case F::Comm_free:
  case F::Comm_disconnect:
  case F::Cart_create:
  case F::Cart_sub:
  case F::Wtime:
  case F::Pcontrol:
    return {true, "yes"};
  default: // from here on they ask for what the rank knows
    return f < F::Reduce_local ? ScriptUse{true, "yes"} : ScriptUse{false, ""};
  }
}

ScriptRecorder::ScriptRecorder(std::filesystem::path directory, int ranks)
    : directory_(std::move(directory)), ranks_(static_cast<std::size_t>(ranks)), actions_(directory_ / "actions.npy"),
      blocks_(directory_ / "blocks.npy"), lists_(directory_ / "lists.npy") {}

ScriptRecorder::Rank& ScriptRecorder::of(const RankState& rank) { return ranks_[static_cast<std::size_t>(rank.rank)]; }

void ScriptRecorder::leave(const RankState& rank, const MpiCall& call) {
  if (!call.failed()) Call(*this, rank, call).write();
}

void ScriptRecorder::compute(const RankState& rank, Time nominal) {
  Action a;
  a.operation = Operation::compute;
  a.size = nominal.ps();
  add(rank, a);
}

void ScriptRecorder::event(const RankState& rank, unsigned char value) {
  Action a;
  a.operation = Operation::event;
  a.size = value;
  add(rank, a);
}

void ScriptRecorder::emit(const RankState& rank, const std::array<std::uint32_t, 4>& kind_and_data) {
  Action a;
  a.operation = Operation::emit;
  a.list = add_list({kind_and_data.begin(), kind_and_data.end()});
  add(rank, a);
}

void ScriptRecorder::add(const RankState& rank, const Action& action) {
  Rank& own = of(rank);
  own.block.push_back(action);
  if (own.block.size() == actions_at_once) flush(static_cast<std::size_t>(rank.rank));
}

void ScriptRecorder::flush(std::size_t rank) {
  auto& block = ranks_[rank].block;
  actions_.append(block);
  blocks_.append(static_cast<std::int64_t>(rank));
  blocks_.append(static_cast<std::int64_t>(block.size()));
  block.clear();
}

std::int64_t ScriptRecorder::add_list(const std::vector<std::int64_t>& values) {
  const auto place = static_cast<std::int64_t>(lists_.size());
  lists_.append(static_cast<std::int64_t>(values.size()));
  lists_.append(values);
  return place;
}

void ScriptRecorder::close() {
  for (std::size_t r = 0; r < ranks_.size(); ++r) flush(r);
  actions_.close();
  blocks_.close();
  lists_.close();
  write_text(directory_ / "operations.txt", [](std::ostream& names) {
    for (const auto name : operation_names) names << name << '\n';
  });
  write_text(directory_ / "lost.tsv", [this](std::ostream& lost) {
    for (const auto& kind : lost_kinds_)
      lost << kind << '\t' << lost_[kind].first << '\t' << lost_[kind].second << '\n';
  });
}

} // namespace hypermon

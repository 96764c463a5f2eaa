// SPDX-License-Identifier: BSD-3-Clause
// The interpreter of program scripts: issues the MPI calls of a rank of the recorded program, and computes for the
// recorded time. It reads a rank's actions block by block. Data have the right size, but no content. There is no answer
// file.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/common/script.hpp"
#include "sw/workloads/trace/params.hpp"
#include "sw/workloads/trace/trace_files.hpp"
#include <climits>
#include <cmath>
#include <cstdlib>
#include <hypermon.h>
#include <mpi.h>
#include <numeric>

extern "C" {
// Functions of the simulator (sw/mpi/program_calls.cpp) for this program only.
void hypermon_execute(double flops) __attribute__((weak));
void hypermon_sleep(double seconds) __attribute__((weak));
}

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

constexpr std::int64_t actions_at_once = 256;
constexpr std::size_t largest_private_buffer = 1 << 20; // all ranks share larger ones (SMPI_SHARED_MALLOC)

int bytes_of_element(MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return size;
}

class Buffer {
public:
  explicit Buffer(std::int64_t bytes)
      : bytes_(static_cast<std::size_t>(bytes)),
        data_(large() ? SMPI_SHARED_MALLOC(bytes_) : std::calloc(bytes_ + 1, 1)) {}
  ~Buffer() {
    if (large())
      SMPI_SHARED_FREE(data_);
    else
      std::free(data_);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  void* data() const { return data_; }

private:
  bool large() const { return bytes_ > largest_private_buffer; }
  std::size_t bytes_;
  void* data_;
};

class Interpreter {
public:
  Interpreter(const ScriptFile& file, int rank, double compute_factor)
      : file_(file), rank_(file.rank(rank)), compute_factor_(compute_factor), out_(rank_.send_bytes),
        in_(rank_.receive_bytes), requests_(static_cast<std::size_t>(rank_.requests), MPI_REQUEST_NULL),
        files_(file, out_.data(), in_.data()) {}

  void run() {
    std::vector<Action> block;
    for (std::int64_t done = 0; done < rank_.actions; done += static_cast<std::int64_t>(block.size())) {
      file_.read(rank_.first + done, std::min(actions_at_once, rank_.actions - done), block);
      if (block.empty()) file_.fail("ends before the rank's actions do");
      for (const Action& action : block) issue(action);
    }
  }

private:
  static int peer(const Action& a) {
    if (a.peer == Action::any) return MPI_ANY_SOURCE;
    return a.peer == Action::nobody ? MPI_PROC_NULL : a.peer;
  }
  static int tag(const Action& a) { return a.tag == Action::any ? MPI_ANY_TAG : a.tag; }
  static MPI_Datatype type(const Action& a) {
    switch (a.element) {
    case 2:
      return MPI_SHORT;
    case 4:
      return MPI_INT;
    case 8:
      return MPI_LONG;
    default:
      return MPI_BYTE;
    }
  }
  double number(const Action& a) const {
    if (!(a.number() >= 0 && std::isfinite(a.number()))) file_.fail("a number that is no amount");
    return a.number();
  }
  int count(const Action& a) const {
    const auto items = a.size / bytes_of_element(type(a));
    if (items < 0 || items > INT_MAX) file_.fail("a message of " + std::to_string(items) + " items");
    return static_cast<int>(items);
  }
  MPI_Comm& comm(const Action& a) {
    if (a.communicator == Action::self) return self_;
    if (a.communicator >= comms_.size()) file_.fail("no communicator " + std::to_string(a.communicator));
    return comms_[a.communicator];
  }
  MPI_Request& request(std::int64_t number) {
    if (number < 0 || number >= rank_.requests) file_.fail("no request " + std::to_string(number));
    return requests_[static_cast<std::size_t>(number)];
  }
  void add(const Action& a, MPI_Comm made) {
    const auto number = static_cast<std::size_t>(a.request);
    if (comms_.size() <= number) comms_.resize(number + 1, MPI_COMM_NULL);
    comms_[number] = made;
  }
  /// Counts in elements, and the begin of each part in the buffer.
  struct Parts {
    std::vector<int> counts;
    std::vector<int> begins;
  };
  static Parts parts(std::vector<std::int64_t>::const_iterator first, std::vector<std::int64_t>::const_iterator last) {
    Parts p{{first, last}, std::vector<int>(static_cast<std::size_t>(last - first))};
    std::exclusive_scan(p.counts.begin(), p.counts.end(), p.begins.begin(), 0);
    return p;
  }
  Parts parts(const Action& a) const {
    const auto list = a.list < 0 ? std::vector<std::int64_t>{} : file_.list(a.list);
    return parts(list.begin(), list.end());
  }

  void issue(const Action& a) {
    switch (a.operation) {
    case Operation::compute:
      return hypermon_charge(static_cast<double>(a.size) * compute_factor_, 1e-3);
    case Operation::flops:
      return hypermon_execute(number(a) * compute_factor_);
    case Operation::sleep:
      return hypermon_sleep(number(a));
    case Operation::event:
      return hypermon_mark(static_cast<unsigned char>(a.size));
    case Operation::emit:
      return emit(file_.list(a.list));
    case Operation::pcontrol:
      if (hypermon_compute) MPI_Pcontrol(static_cast<int>(a.size));
      return;
    case Operation::wtime:
      MPI_Wtime();
      return;
    case Operation::comm_dup:
    case Operation::comm_split:
    case Operation::comm_create:
    case Operation::comm_free:
      return communicator(a);
    case Operation::wait:
    case Operation::waitall:
    case Operation::waitany:
    case Operation::test:
      return complete(a);
    case Operation::cancel:
      if (request(a.request) != MPI_REQUEST_NULL) MPI_Cancel(&request(a.request));
      return;
    default:
      if (a.operation >= Operation::file_open)
        return files_.issue(a, comm(a), a.request < 0 ? nullptr : &request(a.request));
      return a.operation < Operation::barrier ? message(a) : collective(a);
    }
  }

  void emit(const std::vector<std::int64_t>& list) const {
    if (list.size() != 4) file_.fail("an event of " + std::to_string(list.size()) + " numbers");
    const auto number = [&](std::size_t i) { return static_cast<unsigned>(list[i]); };
    hypermon_note(number(0), number(1), number(2), number(3));
  }

  void message(const Action& a) {
    const MPI_Datatype t = type(a);
    const MPI_Comm c = comm(a);
    MPI_Status status;
    int flag = 0;
    switch (a.operation) {
    case Operation::send:
      MPI_Send(out_.data(), count(a), t, peer(a), tag(a), c);
      break;
    case Operation::ssend:
      MPI_Ssend(out_.data(), count(a), t, peer(a), tag(a), c);
      break;
    case Operation::isend:
      MPI_Isend(out_.data(), count(a), t, peer(a), tag(a), c, &request(a.request));
      break;
    case Operation::issend:
      MPI_Issend(out_.data(), count(a), t, peer(a), tag(a), c, &request(a.request));
      break;
    case Operation::recv:
      MPI_Recv(in_.data(), count(a), t, peer(a), tag(a), c, &status);
      break;
    case Operation::irecv:
      MPI_Irecv(in_.data(), count(a), t, peer(a), tag(a), c, &request(a.request));
      break;
    case Operation::sendrecv:
      sending_ = a;
      break;
    case Operation::sendrecv_in:
      MPI_Sendrecv(out_.data(), count(sending_), type(sending_), peer(sending_), tag(sending_), in_.data(), count(a), t,
                   peer(a), tag(a), c, &status);
      break;
    case Operation::iprobe: // the recorded call found a message, so this one must
      MPI_Iprobe(peer(a), tag(a), c, &flag, &status);
      if (flag == 0 && a.size != 0) MPI_Probe(peer(a), tag(a), c, &status);
      break;
    default:
      MPI_Probe(peer(a), tag(a), c, &status);
    }
  }

  /// A request may complete earlier than in the recorded run. The script's wait then finds it complete.
  void complete(const Action& a) {
    if (a.operation == Operation::wait) {
      MPI_Wait(&request(a.request), MPI_STATUS_IGNORE);
    } else if (a.operation == Operation::test) {
      int flag = 0;
      if (a.request < 0) {
        MPI_Request none = MPI_REQUEST_NULL;
        MPI_Test(&none, &flag, MPI_STATUS_IGNORE);
        return;
      }
      if (request(a.request) != MPI_REQUEST_NULL) MPI_Test(&request(a.request), &flag, MPI_STATUS_IGNORE);
      if (flag == 0 && a.size != 0) MPI_Wait(&request(a.request), MPI_STATUS_IGNORE);
    } else {
      const auto numbers = file_.list(a.list);
      std::vector<MPI_Request> all;
      for (const auto number : numbers) all.push_back(request(number));
      if (a.operation == Operation::waitall) {
        MPI_Waitall(static_cast<int>(all.size()), all.data(), MPI_STATUSES_IGNORE);
      } else {
        int index = 0;
        MPI_Waitany(static_cast<int>(all.size()), all.data(), &index, MPI_STATUS_IGNORE);
      }
      for (std::size_t i = 0; i < all.size(); ++i) request(numbers[i]) = all[i];
      if (a.request >= 0) MPI_Wait(&request(a.request), MPI_STATUS_IGNORE); // as recorded
    }
  }

  void communicator(const Action& a) {
    MPI_Comm made = MPI_COMM_NULL;
    switch (a.operation) {
    case Operation::comm_dup:
      MPI_Comm_dup(comm(a), &made);
      return add(a, made);
    case Operation::comm_split:
      MPI_Comm_split(comm(a), a.peer == Action::no_color ? MPI_UNDEFINED : a.peer, a.tag, &made);
      return add(a, made);
    case Operation::comm_create: {
      MPI_Group all;
      MPI_Group some;
      const auto ranks = parts(a).counts;
      MPI_Comm_group(comm(a), &all);
      MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
      MPI_Comm_create(comm(a), some, &made);
      MPI_Group_free(&some);
      MPI_Group_free(&all);
      return add(a, made);
    }
    default:
      MPI_Comm_free(&comm(a));
    }
  }

  void collective(const Action& a) {
    const MPI_Comm c = comm(a);
    const MPI_Datatype t = type(a);
    const int n = count(a);
    const int root = a.peer;
    void* const out = out_.data();
    void* const in = in_.data();
    switch (a.operation) {
    case Operation::barrier:
      MPI_Barrier(c);
      break;
    case Operation::bcast:
      MPI_Bcast(in, n, t, root, c);
      break;
    case Operation::reduce:
      MPI_Reduce(out, in, n, t, MPI_BOR, root, c);
      break;
    case Operation::allreduce:
      MPI_Allreduce(out, in, n, t, MPI_BOR, c);
      break;
    case Operation::scan:
      MPI_Scan(out, in, n, t, MPI_BOR, c);
      break;
    case Operation::exscan:
      MPI_Exscan(out, in, n, t, MPI_BOR, c);
      break;
    case Operation::gather:
      MPI_Gather(out, n, t, in, n, t, root, c);
      break;
    case Operation::scatter:
      MPI_Scatter(out, n, t, in, n, t, root, c);
      break;
    case Operation::allgather:
      MPI_Allgather(out, n, t, in, n, t, c);
      break;
    case Operation::alltoall:
      MPI_Alltoall(out, n, t, in, n, t, c);
      break;
    default:
      collective_of_parts(a, parts(a));
    }
  }

  void collective_of_parts(const Action& a, const Parts& p) {
    const MPI_Comm c = comm(a);
    const MPI_Datatype t = type(a);
    const int n = count(a);
    void* const out = out_.data();
    void* const in = in_.data();
    switch (a.operation) {
    case Operation::gatherv:
      MPI_Gatherv(out, n, t, in, p.counts.data(), p.begins.data(), t, a.peer, c);
      break;
    case Operation::scatterv:
      MPI_Scatterv(out, p.counts.data(), p.begins.data(), t, in, n, t, a.peer, c);
      break;
    case Operation::allgatherv:
      MPI_Allgatherv(out, n, t, in, p.counts.data(), p.begins.data(), t, c);
      break;
    case Operation::reduce_scatter:
      MPI_Reduce_scatter(out, in, p.counts.data(), t, MPI_BOR, c);
      break;
    default: { // all-to-all: blocks sent to each rank, then blocks received from each
      const auto list = file_.list(a.list);
      const auto half = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
      const Parts sent = parts(list.begin(), half);
      const Parts received = parts(half, list.end());
      MPI_Alltoallv(out, sent.counts.data(), sent.begins.data(), t, in, received.counts.data(), received.begins.data(),
                    t, c);
    }
    }
  }

  const ScriptFile& file_;
  RankOfScript rank_;
  double compute_factor_;
  Buffer out_;
  Buffer in_;
  std::vector<MPI_Request> requests_;
  ScriptFiles files_;
  std::vector<MPI_Comm> comms_{MPI_COMM_WORLD};
  MPI_Comm self_ = MPI_COMM_SELF;
  Action sending_;
};

int run(const Arguments<TraceParams>& arguments, Ranks ranks) {
  try {
    const std::string& given = arguments.params.file;
    const ScriptFile file(given.substr(0, given.rfind("@sha256:"))); // base/file_parameter.hpp
    if (file.ranks() != ranks.count) file.fail("is of " + std::to_string(file.ranks()) + " ranks");
    Interpreter(file, ranks.mine, arguments.params.compute_factor).run();
    return 0;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return bad_arguments;
  }
}
} // namespace

int main(int argc, char** argv) { return run_program<TraceParams>(argc, argv, run); }

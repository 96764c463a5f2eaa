// SPDX-License-Identifier: BSD-3-Clause
// MPI's collectives: the library's global operations if the arguments are good, else SMPI's functions.
#include "sw/mpi/collective_arguments.hpp"
#include "sw/nx2/global_operations.hpp"

#include <algorithm>

namespace hypermon {
using namespace global_operations;
namespace {

/// With MPI_IN_PLACE the sent data are read from the receive buffer.
void all_to_all(const Operation& o, const void* buffer, const auto& blocks_of_buffer, const Blocks& in) {
  if (buffer != MPI_IN_PLACE) return all_to_all(o, blocks_of_buffer(), in);
  std::vector<std::vector<char>> packed;
  Blocks out;
  for (int r = 0; r < o.size; ++r) {
    auto& block = packed.emplace_back(static_cast<std::size_t>(in.bytes(r)));
    o.copy(in.block(r), in.count(r), in.type(r), block.data(), in.bytes(r), MPI_BYTE);
    out.add(block.data(), in.bytes(r), MPI_BYTE);
  }
  all_to_all(o, out, in);
}

/// Runs `work(operation)` if the communicator is modelled and the arguments are `good(communicator)`. Otherwise runs
/// `theirs()`, SMPI's function, which refuses bad arguments and carries out what NX/2 does not model.
template <class Good, class Theirs, class Work> int global(MPI_Comm comm, Good&& good, Theirs&& theirs, Work&& work) {
  RankState& self = rank_table().self();
  const Communicator* known = find(self, comm);
  if (known == nullptr || !good(*known)) return theirs();
  const Operation operation(self, *known);
  work(operation);
  return operation.status();
}

int call_barrier(MPI_Comm comm) {
  return global(
      comm, [](const Communicator&) { return true; }, [&] { return smpi().Barrier(comm); },
      [](const Operation& o) {
        char nothing = 0;
        all_reduce(o, &nothing, 1, MPI_CHAR, MPI_BOR);
      });
}

int call_bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::bcast(c, data, count, type, root, comm); },
      [&] { return smpi().Bcast(data, count, type, root, comm); },
      [&](const Operation& o) { broadcast(o, data, count, type, root); });
}

int call_reduce(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::reduce(c, in, result, count, type, op, root, comm); },
      [&] { return smpi().Reduce(in, result, count, type, op, root, comm); },
      [&](const Operation& o) {
        ElementBuffer own(count, type);
        o.copy(in == MPI_IN_PLACE ? result : in, count, type, own.at(), count, type);
        reduce(o, own.at(), count, type, op, root);
        if (o.rank == root) o.copy(own.at(), count, type, result, count, type);
      });
}

int call_allreduce(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::combining(c, in, result, count, type, op, comm); },
      [&] { return smpi().Allreduce(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        if (in != MPI_IN_PLACE) o.copy(in, count, type, result, count, type);
        all_reduce(o, result, count, type, op);
      });
}

int call_scan(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::combining(c, in, result, count, type, op, comm); },
      [&] { return smpi().Scan(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        if (in != MPI_IN_PLACE) o.copy(in, count, type, result, count, type);
        scan(o, result, nullptr, count, type, op);
      });
}

int call_exscan(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::combining(c, in, result, count, type, op, comm); },
      [&] { return smpi().Exscan(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        ElementBuffer own(count, type);
        o.copy(in == MPI_IN_PLACE ? result : in, count, type, own.at(), count, type);
        scan(o, own.at(), result, count, type, op);
      });
}

int call_reduce_scatter(const void* in, void* result, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::reduce_scatter(c, in, result, counts, type, op, comm); },
      [&] { return smpi().Reduce_scatter(in, result, counts, type, op, comm); },
      [&](const Operation& o) { reduce_scatter(o, in, result, counts, type, op); });
}

int call_reduce_scatter_block(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Communicator& c) { return good::combining(c, in, result, count, type, op, comm); },
      [&] { return smpi().Reduce_scatter_block(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        const std::vector<int> counts(static_cast<std::size_t>(o.size), count);
        reduce_scatter(o, in, result, counts.data(), type, op);
      });
}

int call_gather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::gather(c, out, out_count, out_type, in, in_count, in_type, root, comm);
      },
      [&] { return smpi().Gather(out, out_count, out_type, in, in_count, in_type, root, comm); },
      [&](const Operation& o) {
        const bool is_root = o.rank == root;
        const auto bytes = static_cast<int>(is_root ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type));
        std::vector<char> packed(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(o.size));
        if (is_root && out == MPI_IN_PLACE)
          o.copy(element(in, static_cast<std::int64_t>(in_count) * root, in_type), in_count, in_type, packed.data(),
                 bytes, MPI_BYTE);
        else
          o.copy(out, out_count, out_type, packed.data(), bytes, MPI_BYTE);
        gather_tree(o, packed.data(), bytes, root);
        if (!is_root) return;
        const Blocks blocks = equal_blocks(o.size, in, in_count, in_type);
        for (int r = 0; r < o.size; ++r)
          o.copy(packed.data() + static_cast<std::ptrdiff_t>(bytes) * r, bytes, MPI_BYTE,
                 blocks.block(o.absolute(r, root)), in_count, in_type);
      });
}

int call_gatherv(const void* out, int out_count, MPI_Datatype out_type, void* in, const int* in_counts,
                 const int* in_at, MPI_Datatype in_type, int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::gatherv(c, out, out_count, out_type, in, in_counts, in_at, in_type, root, comm);
      },
      [&] { return smpi().Gatherv(out, out_count, out_type, in, in_counts, in_at, in_type, root, comm); },
      [&](const Operation& o) {
        o.by("nx2/gather_each");
        if (o.rank != root) return o.send(out, out_count, out_type, root);
        const Blocks blocks = own_blocks(o.size, in, in_counts, in_at, in_type);
        if (out != MPI_IN_PLACE)
          o.copy(out, out_count, out_type, blocks.block(root), blocks.count(root), blocks.type(root));
        for (int r = 0; r < o.size; ++r)
          if (r != root) o.receive(blocks.block(r), blocks.count(r), blocks.type(r), r);
      });
}

int call_scatter(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                 int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::scatter(c, out, out_count, out_type, in, in_count, in_type, root, comm);
      },
      [&] { return smpi().Scatter(out, out_count, out_type, in, in_count, in_type, root, comm); },
      [&](const Operation& o) {
        const bool is_root = o.rank == root;
        const auto bytes = static_cast<int>(is_root ? bytes_of(out_count, out_type) : bytes_of(in_count, in_type));
        std::vector<char> packed(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(o.size));
        if (is_root) {
          const Blocks blocks = equal_blocks(o.size, out, out_count, out_type);
          for (int r = 0; r < o.size; ++r)
            o.copy(blocks.block(o.absolute(r, root)), out_count, out_type,
                   packed.data() + static_cast<std::ptrdiff_t>(bytes) * r, bytes, MPI_BYTE);
        }
        scatter_tree(o, packed.data(), bytes, root);
        if (in != MPI_IN_PLACE) o.copy(packed.data(), bytes, MPI_BYTE, in, in_count, in_type);
      });
}

int call_scatterv(const void* out, const int* out_counts, const int* out_at, MPI_Datatype out_type, void* in,
                  int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::scatterv(c, out, out_counts, out_at, out_type, in, in_count, in_type, root, comm);
      },
      [&] { return smpi().Scatterv(out, out_counts, out_at, out_type, in, in_count, in_type, root, comm); },
      [&](const Operation& o) {
        scatter_each(o, o.rank == root ? own_blocks(o.size, out, out_counts, out_at, out_type) : Blocks{}, in, in_count,
                     in_type, root);
      });
}

int call_allgather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                   MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) { return good::allgather(c, out, out_count, out_type, in, in_count, in_type, comm); },
      [&] { return smpi().Allgather(out, out_count, out_type, in, in_count, in_type, comm); },
      [&](const Operation& o) {
        all_gather(o, out, out_count, out_type, equal_blocks(o.size, in, in_count, in_type));
      });
}

int call_allgatherv(const void* out, int out_count, MPI_Datatype out_type, void* in, const int* in_counts,
                    const int* in_at, MPI_Datatype in_type, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::allgatherv(c, out, out_count, out_type, in, in_counts, in_at, in_type, comm);
      },
      [&] { return smpi().Allgatherv(out, out_count, out_type, in, in_counts, in_at, in_type, comm); },
      [&](const Operation& o) {
        all_gather(o, out, out_count, out_type, own_blocks(o.size, in, in_counts, in_at, in_type));
      });
}

int call_alltoall(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                  MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) { return good::allgather(c, out, out_count, out_type, in, in_count, in_type, comm); },
      [&] { return smpi().Alltoall(out, out_count, out_type, in, in_count, in_type, comm); },
      [&](const Operation& o) {
        all_to_all(
            o, out, [&] { return equal_blocks(o.size, out, out_count, out_type); },
            equal_blocks(o.size, in, in_count, in_type));
      });
}

int call_alltoallv(const void* out, const int* out_counts, const int* out_at, MPI_Datatype out_type, void* in,
                   const int* in_counts, const int* in_at, MPI_Datatype in_type, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::alltoallv(c, out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm);
      },
      [&] { return smpi().Alltoallv(out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm); },
      [&](const Operation& o) {
        all_to_all(
            o, out, [&] { return own_blocks(o.size, out, out_counts, out_at, out_type); },
            own_blocks(o.size, in, in_counts, in_at, in_type));
      });
}

int call_alltoallw(const void* out, const int* out_counts, const int* out_at, const MPI_Datatype* out_types, void* in,
                   const int* in_counts, const int* in_at, const MPI_Datatype* in_types, MPI_Comm comm) {
  return global(
      comm,
      [&](const Communicator& c) {
        return good::alltoallw(c, out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, comm);
      },
      [&] { return smpi().Alltoallw(out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, comm); },
      [&](const Operation& o) {
        all_to_all(
            o, out, [&] { return own_types(o.size, out, out_counts, out_at, out_types); },
            own_types(o.size, in, in_counts, in_at, in_types));
      });
}

} // namespace

void add_collective_calls(MpiTable& table) {
  table.Barrier = call_barrier;
  table.Bcast = call_bcast;
  table.Reduce = call_reduce;
  table.Allreduce = call_allreduce;
  table.Scan = call_scan;
  table.Exscan = call_exscan;
  table.Reduce_scatter = call_reduce_scatter;
  table.Reduce_scatter_block = call_reduce_scatter_block;
  table.Gather = call_gather;
  table.Gatherv = call_gatherv;
  table.Scatter = call_scatter;
  table.Scatterv = call_scatterv;
  table.Allgather = call_allgather;
  table.Allgatherv = call_allgatherv;
  table.Alltoall = call_alltoall;
  table.Alltoallv = call_alltoallv;
  table.Alltoallw = call_alltoallw;
}

} // namespace hypermon

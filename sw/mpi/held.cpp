// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/held.hpp"
#include "sw/mpi/next_definition.hpp"

#include <dlfcn.h>

#include <type_traits>
#include <unordered_map>

namespace hypermon {

bool is_predefined(const void* object) {
  dl_find_object library{};
  return object == nullptr || _dl_find_object(const_cast<void*>(object), &library) == 0; // dladdr() takes 20 us
}

namespace {

int free_in_smpi(MPI_Datatype* type) {
  static const auto real = next_definition<decltype(::PMPI_Type_free)>("PMPI_Type_free");
  return real(type);
}
int free_in_smpi(MPI_Op* op) {
  static const auto real = next_definition<decltype(::PMPI_Op_free)>("PMPI_Op_free");
  return real(op);
}

MPI_Datatype null_of(MPI_Datatype) { return MPI_DATATYPE_NULL; }
MPI_Op null_of(MPI_Op) { return MPI_OP_NULL; }

/// The kept objects of one kind.
template <class Handle> class Objects {
public:
  Held hold(Handle handle) {
    if (is_predefined(handle)) return {};
    ++objects_[handle].holders;
    return Held(static_cast<const void*>(handle), [this, handle](const void*) { release(handle); });
  }
  int free(Handle* handle) {
    const auto own = handle == nullptr ? objects_.end() : objects_.find(*handle);
    if (own == objects_.end()) return free_in_smpi(handle);
    own->second.is_freed = true;
    *handle = null_of(*handle);
    return MPI_SUCCESS;
  }

private:
  struct Use {
    int holders = 0;
    bool is_freed = false;
  };
  void release(Handle handle) {
    const auto own = objects_.find(handle);
    if (--own->second.holders > 0) return;
    const bool is_freed = own->second.is_freed;
    objects_.erase(own);
    if (is_freed) free_in_smpi(&handle);
  }
  std::unordered_map<Handle, Use> objects_;
};

Objects<MPI_Datatype>& types() {
  static Objects<MPI_Datatype> all;
  return all;
}
Objects<MPI_Op>& operations() {
  static Objects<MPI_Op> all;
  return all;
}

} // namespace

Held hold(MPI_Datatype type) { return types().hold(type); }
Held hold(MPI_Op op) { return operations().hold(op); }

} // namespace hypermon

using namespace hypermon;

extern "C" int MPI_Type_free(MPI_Datatype* type) { return types().free(type); }
extern "C" int PMPI_Type_free(MPI_Datatype*) __attribute__((alias("MPI_Type_free")));
extern "C" int MPI_Op_free(MPI_Op* op) { return operations().free(op); }
extern "C" int PMPI_Op_free(MPI_Op*) __attribute__((alias("MPI_Op_free")));

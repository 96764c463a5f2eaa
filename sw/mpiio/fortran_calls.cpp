// SPDX-License-Identifier: BSD-3-Clause
// MPI_File_* for Fortran. SMPI 3.32 has 23 of the 59 functions. Its definitions interpret an MPI_File as an object of
// SMPI, and a Fortran string, which has a length, as a C string, which ends with a zero.
#include "sw/mpi/next_definition.hpp"
#include "sw/mpiio/calls.hpp"
#include "sw/mpiio/io_request.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

// Variables whose addresses are Fortran's MPI_BOTTOM and MPI_STATUS_IGNORE.
extern "C" int mpi_bottom_;
extern "C" int mpi_status_ignore_;

namespace hypermon::mpiio {
namespace {

/// Numbers of files in Fortran, where MPI_FILE_NULL is 0.
class FileNumbers {
public:
  MPI_Fint number_of(MPI_File file) {
    if (file == MPI_FILE_NULL) return 0;
    const auto [entry, is_new] = numbers_.try_emplace(file, last_ + 1);
    if (is_new) files_[++last_] = file;
    return entry->second;
  }
  MPI_File file_of(MPI_Fint number) const {
    const auto found = files_.find(number);
    return found == files_.end() ? MPI_FILE_NULL : found->second;
  }
  void drop(MPI_Fint number) {
    const auto found = files_.find(number);
    if (found == files_.end()) return;
    numbers_.erase(found->second);
    files_.erase(found);
  }

private:
  MPI_Fint last_ = 0;
  std::unordered_map<MPI_File, MPI_Fint> numbers_;
  std::unordered_map<MPI_Fint, MPI_File> files_;
};

FileNumbers& file_numbers() {
  static FileNumbers all;
  return all;
}

/// Error handlers written in Fortran: they get the number of a file.
std::set<MPI_File_errhandler_function*>& fortran_handlers() {
  static std::set<MPI_File_errhandler_function*> all;
  return all;
}

/// An argument of MPI's C function. Fortran passes an address of type `Passed`. `c()` is the argument for C, and
/// `give_back()` stores C's result for Fortran.
template <class C> struct Argument { // numbers, and arguments that C and Fortran pass in the same way
  using Passed = std::remove_cv_t<std::remove_pointer_t<C>>;
  explicit Argument(Passed* from) : from_(from) {}
  C c() {
    if constexpr (std::is_pointer_v<C>)
      return from_;
    else
      return *from_;
  }
  void give_back(int) {}

private:
  Passed* from_;
};

/// A handle that C only reads.
template <class C, C (*Convert)(MPI_Fint)> struct HandleArgument {
  using Passed = MPI_Fint;
  explicit HandleArgument(const MPI_Fint* from) : handle_(Convert(*from)) {}
  C c() { return handle_; }
  void give_back(int) {}

private:
  C handle_;
};

/// A handle that C makes.
template <class C, MPI_Fint (*Convert)(C)> struct MadeHandle {
  using Passed = MPI_Fint;
  explicit MadeHandle(MPI_Fint* to) : to_(to) {}
  C* c() { return &made_; }
  void give_back(int code) {
    if (code == MPI_SUCCESS) *to_ = Convert(made_);
  }

private:
  MPI_Fint* to_;
  C made_{};
};

MPI_File file_of(MPI_Fint number) { return file_numbers().file_of(number); }

template <> struct Argument<MPI_File> : HandleArgument<MPI_File, file_of> { using HandleArgument::HandleArgument; };
template <> struct Argument<MPI_Comm> : HandleArgument<MPI_Comm, MPI_Comm_f2c> {
  using HandleArgument::HandleArgument;
};
template <> struct Argument<MPI_Info> : HandleArgument<MPI_Info, MPI_Info_f2c> {
  using HandleArgument::HandleArgument;
};
template <> struct Argument<MPI_Datatype> : HandleArgument<MPI_Datatype, MPI_Type_f2c> {
  using HandleArgument::HandleArgument;
};
template <> struct Argument<MPI_Errhandler> : HandleArgument<MPI_Errhandler, MPI_Errhandler_f2c> {
  using HandleArgument::HandleArgument;
};
template <> struct Argument<MPI_Info*> : MadeHandle<MPI_Info, MPI_Info_c2f> { using MadeHandle::MadeHandle; };
template <> struct Argument<MPI_Datatype*> : MadeHandle<MPI_Datatype, MPI_Type_c2f> { using MadeHandle::MadeHandle; };
template <> struct Argument<MPI_Group*> : MadeHandle<MPI_Group, MPI_Group_c2f> { using MadeHandle::MadeHandle; };
template <> struct Argument<MPI_Errhandler*> : MadeHandle<MPI_Errhandler, MPI_Errhandler_c2f> {
  using MadeHandle::MadeHandle;
};
template <> struct Argument<MPI_Request*> : MadeHandle<MPI_Request, MPI_Request_c2f> { using MadeHandle::MadeHandle; };

/// MPI_File_open makes the handle, MPI_File_close removes it.
template <> struct Argument<MPI_File*> {
  using Passed = MPI_Fint;
  explicit Argument(MPI_Fint* number) : number_(number), before_(*number), file_(file_of(*number)) {}
  MPI_File* c() { return &file_; }
  void give_back(int code) {
    if (code == MPI_SUCCESS && file_ == MPI_FILE_NULL) file_numbers().drop(before_); // closed
    *number_ = file_numbers().number_of(file_);
  }

private:
  MPI_Fint* number_;
  MPI_Fint before_;
  MPI_File file_;
};

template <> struct Argument<MPI_Status*> {
  using Passed = MPI_Status;
  explicit Argument(MPI_Status* status) : status_(status) {}
  MPI_Status* c() { return static_cast<void*>(status_) == &mpi_status_ignore_ ? MPI_STATUS_IGNORE : status_; }
  void give_back(int) {}

private:
  MPI_Status* status_;
};

template <> struct Argument<void*> {
  using Passed = void;
  explicit Argument(void* data) : data_(data) {}
  void* c() { return data_ == &mpi_bottom_ ? MPI_BOTTOM : data_; }
  void give_back(int) {}

private:
  void* data_;
};
template <> struct Argument<const void*> : Argument<void*> { using Argument<void*>::Argument; };

template <> struct Argument<MPI_File_errhandler_function*> {
  using Passed = MPI_File_errhandler_function;
  explicit Argument(MPI_File_errhandler_function* function) : function_(function) {
    fortran_handlers().insert(function);
  }
  MPI_File_errhandler_function* c() { return function_; }
  void give_back(int) {}

private:
  MPI_File_errhandler_function* function_;
};

/// A name: blanks before and after it are ignored.
template <> struct Argument<const char*> {
  using Passed = char;
  Argument(const char* from, std::size_t length) : text_(from, length) {
    text_.erase(text_.find_last_not_of(' ') + 1);
    text_.erase(0, text_.find_first_not_of(' '));
  }
  const char* c() const { return text_.c_str(); }
  void give_back(int) {}

private:
  std::string text_;
};

/// A string that C writes: the rest is filled with blanks.
template <> struct Argument<char*> {
  using Passed = char;
  Argument(char* to, std::size_t length) : to_(to), length_(length) {}
  char* c() { return text_.data(); }
  void give_back(int code) {
    if (code != MPI_SUCCESS) return;
    const std::string text = text_.c_str();
    std::fill_n(to_, length_, ' ');
    std::copy_n(text.begin(), std::min(text.size(), length_), to_);
  }

private:
  char* to_;
  std::size_t length_;
  std::string text_ = std::string(MPI_MAX_DATAREP_STRING + 1, '\0');
};

/// `length`: length of the only string among the arguments.
template <class C> Argument<C> argument(typename Argument<C>::Passed* from, std::size_t length) {
  if constexpr (std::is_constructible_v<Argument<C>, char*, std::size_t>)
    return Argument<C>(from, length);
  else
    return Argument<C>(from);
}

/// Calls a C function for Fortran.
template <class... C> struct Call {
  int (*function)(C...);
  int operator()(std::size_t length, typename Argument<C>::Passed*... from) const {
    std::tuple arguments{argument<C>(from, length)...};
    const int code = std::apply([&](auto&... each) { return function(each.c()...); }, arguments);
    std::apply([&](auto&... each) { (each.give_back(code), ...); }, arguments);
    return code;
  }
};
template <class... C> Call(int (*)(C...)) -> Call<C...>;

template <class Function> struct Signature;
template <class... C> struct Signature<int(C...)> {
  template <std::size_t n> using Nth = typename Argument<std::tuple_element_t<n, std::tuple<C...>>>::Passed*;
};
template <auto& function, std::size_t n>
using Nth = typename Signature<std::remove_reference_t<decltype(function)>>::template Nth<n>;

} // namespace

void call_file_handler(MPI_File_errhandler_function* handler, MPI_File file, int& code) {
  if (!fortran_handlers().contains(handler)) return handler(&file, &code);
  MPI_Fint number = file_numbers().number_of(file);
  reinterpret_cast<void (*)(MPI_Fint*, int*)>(handler)(&number, &code);
}

} // namespace hypermon::mpiio

using namespace hypermon::mpiio;

// gfortran calls mpi_file_x_ for MPI_FILE_X, with the addresses of all arguments, the address of the error code, and
// then the length of a string.
#define CALL(x, ...) *code = Call{MPI_File_##x}(__VA_ARGS__)
#define ARG(x, n) Nth<MPI_File_##x, n> a##n
#define FILE1(x)                                                                                                       \
  extern "C" void mpi_file_##x##_(ARG(x, 0), int* code) { CALL(x, 0, a0); }
#define FILE2(x)                                                                                                       \
  extern "C" void mpi_file_##x##_(ARG(x, 0), ARG(x, 1), int* code) { CALL(x, 0, a0, a1); }
#define FILE3(x)                                                                                                       \
  extern "C" void mpi_file_##x##_(ARG(x, 0), ARG(x, 1), ARG(x, 2), int* code) { CALL(x, 0, a0, a1, a2); }
#define FILE4(x)                                                                                                       \
  extern "C" void mpi_file_##x##_(ARG(x, 0), ARG(x, 1), ARG(x, 2), ARG(x, 3), int* code) { CALL(x, 0, a0, a1, a2, a3); }
#define FILE5(x)                                                                                                       \
  extern "C" void mpi_file_##x##_(ARG(x, 0), ARG(x, 1), ARG(x, 2), ARG(x, 3), ARG(x, 4), int* code) {                  \
    CALL(x, 0, a0, a1, a2, a3, a4);                                                                                    \
  }
#define FILE6(x)                                                                                                       \
  extern "C" void mpi_file_##x##_(ARG(x, 0), ARG(x, 1), ARG(x, 2), ARG(x, 3), ARG(x, 4), ARG(x, 5), int* code) {       \
    CALL(x, 0, a0, a1, a2, a3, a4, a5);                                                                                \
  }

extern "C" void mpi_file_open_(ARG(open, 0), ARG(open, 1), ARG(open, 2), ARG(open, 3), ARG(open, 4), int* code,
                               std::size_t length) {
  CALL(open, length, a0, a1, a2, a3, a4);
}
extern "C" void mpi_file_delete_(ARG(delete, 0), ARG(delete, 1), int* code, std::size_t length) {
  CALL(delete, length, a0, a1);
}
extern "C" void mpi_file_set_view_(ARG(set_view, 0), ARG(set_view, 1), ARG(set_view, 2), ARG(set_view, 3),
                                   ARG(set_view, 4), ARG(set_view, 5), int* code, std::size_t length) {
  CALL(set_view, length, a0, a1, a2, a3, a4, a5);
}
extern "C" void mpi_file_get_view_(ARG(get_view, 0), ARG(get_view, 1), ARG(get_view, 2), ARG(get_view, 3),
                                   ARG(get_view, 4), int* code, std::size_t length) {
  CALL(get_view, length, a0, a1, a2, a3, a4);
}

FILE1(close)
FILE1(sync)
FILE2(set_size)
FILE2(preallocate)
FILE2(get_size)
FILE2(get_group)
FILE2(get_amode)
FILE2(set_info)
FILE2(get_info)
FILE2(get_position)
FILE2(get_position_shared)
FILE2(set_atomicity)
FILE2(get_atomicity)
FILE2(create_errhandler)
FILE2(set_errhandler)
FILE2(get_errhandler)
FILE2(call_errhandler)
FILE3(seek)
FILE3(seek_shared)
FILE3(get_byte_offset)
FILE3(get_type_extent)
FILE3(read_at_all_end)
FILE3(write_at_all_end)
FILE3(read_all_end)
FILE3(write_all_end)
FILE3(read_ordered_end)
FILE3(write_ordered_end)
FILE4(read_all_begin)
FILE4(write_all_begin)
FILE4(read_ordered_begin)
FILE4(write_ordered_begin)
FILE5(read)
FILE5(read_all)
FILE5(write)
FILE5(write_all)
FILE5(iread)
FILE5(iread_all)
FILE5(iwrite)
FILE5(iwrite_all)
FILE5(read_shared)
FILE5(write_shared)
FILE5(iread_shared)
FILE5(iwrite_shared)
FILE5(read_ordered)
FILE5(write_ordered)
FILE5(read_at_all_begin)
FILE5(write_at_all_begin)
FILE6(read_at)
FILE6(read_at_all)
FILE6(write_at)
FILE6(write_at_all)
FILE6(iread_at)
FILE6(iread_at_all)
FILE6(iwrite_at)
FILE6(iwrite_at_all)

extern "C" MPI_Fint MPI_File_c2f(MPI_File file) { return file_numbers().number_of(file); }
extern "C" MPI_File MPI_File_f2c(MPI_Fint number) { return file_numbers().file_of(number); }
extern "C" MPI_Fint PMPI_File_c2f(MPI_File file) { return MPI_File_c2f(file); }
extern "C" MPI_File PMPI_File_f2c(MPI_Fint number) { return MPI_File_f2c(number); }

// Numbers of file accesses are larger than any number of an SMPI request.
extern "C" MPI_Fint MPI_Request_c2f(MPI_Request request) {
  if (IoRequest* own = io_requests().find(request)) return io_requests().number_of(*own);
  static const auto smpis = hypermon::next_definition<decltype(::PMPI_Request_c2f)>("PMPI_Request_c2f");
  return request == MPI_REQUEST_NULL ? -1 : smpis(request);
}
extern "C" MPI_Fint PMPI_Request_c2f(MPI_Request request) { return MPI_Request_c2f(request); }

// SMPI's Fortran functions that wait for, test and free requests look up the request by its number here.
extern "C" [[gnu::visibility("default")]] MPI_Request
request_of_number(MPI_Fint number) __asm__("_ZN7simgrid4smpi7Request3f2cEi");
MPI_Request request_of_number(MPI_Fint number) {
  if (IoRequest* own = io_requests().find_number(number)) return mpi_request(*own);
  static const auto real = hypermon::next_definition<MPI_Request(MPI_Fint)>("_ZN7simgrid4smpi7Request3f2cEi");
  return real(number);
}

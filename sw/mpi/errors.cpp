// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/errors.hpp"
#include "base/user_error.hpp"
#include "sw/mpi/communicator.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpi/next_definition.hpp"
#include "sw/mpi/worlds.hpp"
#include "sw/os/place.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <xbt/log.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermon {
namespace {

int smpi_error_string(int code, char* text, int* length) {
  static const auto real = next_definition<decltype(::PMPI_Error_string)>("PMPI_Error_string");
  return real(code, text, length);
}

std::string name_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (smpi_error_string(code, text.data(), &length) != MPI_SUCCESS) return "code " + std::to_string(code);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// SMPI's last message about arguments, with the SMPI function and the program's call that it belongs to.
struct Complaint {
  const RankState* rank = nullptr;
  const char* call = nullptr; // RankState::call; each name has one address
  std::string function;
  std::string text;
} last_complaint;

void keep(const char* function, std::string_view text) {
  if (AskingSmpi::asking) return;
  if (text.starts_with(function) && text.substr(std::string_view(function).size()).starts_with(": "))
    text.remove_prefix(std::string_view(function).size() + 2);
  const RankState* rank = rank_table().caller();
  last_complaint = {rank, rank == nullptr ? nullptr : rank->call.function, function, std::string(text)};
}

std::string why(const RankState& rank, const std::string& function, int code) {
  const bool of_this = last_complaint.rank == &rank && last_complaint.call == rank.call.function &&
                       (rank.call.function != nullptr || last_complaint.function == "P" + function);
  if (of_this) return name_of(code) + " (" + last_complaint.text + ")";
  return name_of(code) + (code == MPI_ERR_TRUNCATE ? " (more came than there is room for)" : "");
}

/// Place in the program that called MPI, and the called function if it was one of SMPI's.
struct Caller {
  std::string place;
  std::string function;
};

Caller caller() {
  std::array<void*, 64> frames{};
  const int n = backtrace(frames.data(), static_cast<int>(frames.size()));
  Dl_info worker{};
  Dl_info smpi{};
  dladdr(reinterpret_cast<void*>(&caller), &worker);
  dladdr(reinterpret_cast<void*>(&xbt_log_init), &smpi);
  Caller found;
  for (int i = 0; i < n; ++i) {
    Dl_info object{};
    const char* const call = static_cast<char*>(frames[static_cast<std::size_t>(i)]) - 1; // not the return address
    if (dladdr(call, &object) == 0 || object.dli_fbase == worker.dli_fbase) continue;
    if (object.dli_fbase != smpi.dli_fbase) {
      found.place = ", called from " + place_in_program(call);
      break;
    }
    if (object.dli_sname != nullptr) found.function = object.dli_sname;
  }
  return found;
}

[[noreturn]] void fail(const RankState& rank, const std::string& function, int code, const std::string& place) {
  fail_rank(rank.rank, "failed in " + function + ": " + why(rank, function, code) + place);
}

/// The call in which SMPI found a message that was longer than a rank's receive, and the program's communicator.
struct Truncated {
  const char* call = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
};

Truncated& last_truncated(const RankState& rank) {
  static std::vector<Truncated> all(rank_table().all().size());
  return all[static_cast<std::size_t>(rank.rank)];
}

} // namespace

void note_truncated(const RankState& rank, MPI_Comm programs_comm) {
  last_truncated(rank) = {rank.call.function, programs_comm};
}

namespace {

/// True while the program's handler is queried by hypermon, and not by SMPI within a call.
bool asking_for_handler = false;
int handler_of(MPI_Comm comm, MPI_Errhandler* handler) {
  const AskingSmpi asking;
  asking_for_handler = true;
  const int status = PMPI_Comm_get_errhandler(comm, handler);
  asking_for_handler = false;
  return status;
}

int handler_of(MPI_Win win, MPI_Errhandler* handler) {
  const AskingSmpi asking;
  return PMPI_Win_get_errhandler(win, handler);
}

/// While it lives, the rank runs a function of the program that MPI has called.
class OutsideMpi {
public:
  explicit OutsideMpi(RankCall& call) : call_(call), function_(std::exchange(call.function, nullptr)) {}
  ~OutsideMpi() { call_.function = function_; }
  OutsideMpi(const OutsideMpi&) = delete;
  OutsideMpi& operator=(const OutsideMpi&) = delete;

private:
  RankCall& call_;
  const char* function_;
};

/// `handler` is a reference that this function frees; `call()` calls it.
template <class Call>
void handle(RankState& rank, const std::string& function, int code, MPI_Errhandler handler, Call&& call) {
  if (handler == MPI_ERRHANDLER_NULL || handler == MPI_ERRORS_ARE_FATAL) fail(rank, function, code, caller().place);
  last_complaint = {};
  if (handler == MPI_ERRORS_RETURN) return;
  {
    const OutsideMpi handler_is_programs(rank.call);
    call();
  }
  PMPI_Errhandler_free(&handler);
}

/// Calls the error handler of a file, or of a call without a file (MPI_File_open, MPI_File_delete). Returns the code
/// that the program gets.
int handle_of_file(RankState& rank, const std::string& function, int code, MPI_File file) {
  const FileLibrary* library = file_library();
  MPI_Errhandler handler = MPI_ERRORS_RETURN;
  if (library != nullptr)
    handler = library->handler(file);
  else if (file != MPI_FILE_NULL)
    smpi().File_get_errhandler(file, &handler);
  if (handler == MPI_ERRORS_ARE_FATAL) fail(rank, function, code, caller().place);
  if (handler == MPI_ERRORS_RETURN) return code;
  const OutsideMpi handler_is_programs(rank.call);
  if (library != nullptr)
    code = library->call_handler(handler, file, code);
  else
    smpi().File_call_errhandler(file, code);
  return code;
}

/// Returns the code that the program gets.
int handle(RankState& rank, const std::string& function, int code, Concerned object) {
  if (function.starts_with("MPI_File_")) return handle_of_file(rank, function, code, object.file);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (object.win != MPI_WIN_NULL && handler_of(object.win, &handler) == MPI_SUCCESS)
    return handle(rank, function, code, handler, [&] { PMPI_Win_call_errhandler(object.win, code); }), code;
  const Truncated truncated = std::exchange(last_truncated(rank), {});
  if (object.comm == MPI_COMM_NULL && rank.call.function != nullptr && truncated.call == rank.call.function)
    object.comm = truncated.comm; // communicator of the request
  if (object.comm == MPI_COMM_NULL || handler_of(object.comm, &handler) != MPI_SUCCESS)
    handler_of(object.comm = world_of(rank_table().self().program), &handler);
  handle(rank, function, code, handler, [&] { PMPI_Comm_call_errhandler(object.comm, code); });
  return code;
}

} // namespace

int raise_error(RankState& rank, int code, Concerned object) {
  const std::string function = rank.call.function;
  return handle(rank, function, code, object);
}

int noticed(int returned, int code) {
  const RankState* self = rank_table().caller();
  if (returned != MPI_SUCCESS || self == nullptr || self->call.function == nullptr) return returned;
  return last_truncated(*self).call == self->call.function ? code : returned;
}

void set_first_handlers() { PMPI_Comm_set_errhandler(world_of(rank_table().self().program), MPI_ERRORS_ARE_FATAL); }

int inherit_handler(int status, MPI_Comm parent, const MPI_Comm* made) {
  if (status != MPI_SUCCESS || *made == MPI_COMM_NULL) return status;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  handler_of(parent, &handler);
  if (handler == MPI_ERRHANDLER_NULL) return status;
  PMPI_Comm_set_errhandler(*made, handler);
  PMPI_Errhandler_free(&handler);
  return status;
}

} // namespace hypermon

using namespace hypermon;

// SMPI's own function calls an invalid address if the handler is a predefined one.
extern "C" int MPI_Comm_call_errhandler(MPI_Comm comm, int code) {
  RankState* self = rank_table().caller();
  if (self == nullptr) return PMPI_Comm_call_errhandler(comm, code);
  handle(*self, "MPI_Comm_call_errhandler", comm == MPI_COMM_NULL ? MPI_ERR_COMM : code, {.comm = comm});
  return comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
}
extern "C" int MPI_Win_call_errhandler(MPI_Win win, int code) {
  RankState* self = rank_table().caller();
  if (self == nullptr) return PMPI_Win_call_errhandler(win, code);
  handle(*self, "MPI_Win_call_errhandler", win == MPI_WIN_NULL ? MPI_ERR_WIN : code, {.win = win});
  return win == MPI_WIN_NULL ? MPI_ERR_WIN : MPI_SUCCESS;
}

// MPI functions that hypermon does not define are SMPI's own. On an error they query its name before they look up a
// handler, and print the current handle before they end the process. Both calls resolve to the definitions in this
// executable.
static int smpi_error_code = MPI_SUCCESS;
extern "C" [[gnu::visibility("default")]] int PMPI_Error_string(int code, char* text, int* length) {
  smpi_error_code = code;
  return smpi_error_string(code, text, length);
}

namespace simgrid::smpi::utils {
[[gnu::visibility("default")]] void print_current_handle();
void print_current_handle() {
  const RankState* self = rank_table().caller();
  if (self == nullptr) return;
  const Caller from = caller();
  fail(*self, from.function, smpi_error_code, from.place);
}
} // namespace simgrid::smpi::utils

// If a message is longer than its receive, SMPI calls the communicator's handler itself. Some calls then return the
// error, which must be handled once, for the program's communicator; others, such as SMPI's global operations, go on.
extern "C" [[gnu::visibility("default")]] MPI_Errhandler
own_handler_of(MPI_Comm comm) __asm__("_ZN7simgrid4smpi4Comm10errhandlerEv");
MPI_Errhandler own_handler_of(MPI_Comm comm) {
  static const auto real = next_definition<MPI_Errhandler(MPI_Comm)>("_ZN7simgrid4smpi4Comm10errhandlerEv");
  const RankState* self = rank_table().caller();
  if (self == nullptr || self->call.function == nullptr || asking_for_handler) return real(comm);
  const std::string_view call = self->call.function;
  const auto is = [&](std::string_view name) { return call.starts_with(name); };
  if (mpi_layer().models_messages || is("MPI_Recv") || is("MPI_Sendrecv") || is("MPI_Wait") || is("MPI_Test")) {
    last_truncated(*self) = {self->call.function, programs(*self, comm)};
    return MPI_ERRORS_RETURN;
  }
  MPI_Errhandler handler = real(comm);
  if (handler == MPI_ERRHANDLER_NULL || handler == MPI_ERRORS_ARE_FATAL)
    fail(*self, self->call.function, MPI_ERR_TRUNCATE, caller().place);
  return handler;
}

/// Keeps SMPI's warnings about arguments for the report of the error. All other messages are printed.
extern "C" [[gnu::visibility("default")]] void _xbt_log_event_log(xbt_log_event_t event, const char* format, ...) {
  const bool of_arguments = std::string_view(event->cat->name) == "smpi_pmpi";
  if (of_arguments && AskingSmpi::asking) return;
  std::array<char, 4096> text{};
  va_list values;
  va_start(values, format);
  std::vsnprintf(text.data(), text.size(), format, values);
  va_end(values);
  if (of_arguments) return keep(event->functionName, text.data());
  static const auto print = next_definition<decltype(::_xbt_log_event_log)>("_xbt_log_event_log");
  print(event, "%s", text.data());
}

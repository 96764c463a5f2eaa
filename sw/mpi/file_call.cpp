// SPDX-License-Identifier: BSD-3-Clause
// Fills in the data of MPI_File_* calls for observers.
#include "sw/mpi/interface.hpp"
#include "sw/os/ranks.hpp"

namespace hypermon {
namespace {
FileLibrary* files_of_mpi = nullptr;
} // namespace

FileLibrary* file_library() { return files_of_mpi; }
void set_file_library(FileLibrary* own) { files_of_mpi = own; }

MpiCall& MpiCall::on_file(MPI_File file) {
  handle_ = file;
  file_.emplace();
  if (files_of_mpi != nullptr)
    if (const MPI_Comm comm = files_of_mpi->describe(file, *file_); comm != MPI_COMM_NULL) on(comm);
  return *this;
}

MpiCall& MpiCall::opens(const char* name, int amode, MPI_Info info, const MPI_File* made) {
  file_.emplace();
  if (name != nullptr) file_->file = name;
  file_->amode = amode;
  made_file_ = made;
  return hints(info);
}

MpiCall& MpiCall::hints(MPI_Info info) {
  file_->hints = hints_of(info);
  return *this;
}

MpiCall& MpiCall::gives_offset(MPI_Offset offset, int whence) {
  file_->argument = offset;
  file_->whence = whence;
  return *this;
}

MpiCall& MpiCall::views(MPI_Datatype etype, MPI_Datatype filetype) {
  file_->etype = layout_of(etype);
  file_->filetype = layout_of(filetype);
  file_->displacement = *file_->argument;
  return *this;
}

MpiCall& MpiCall::accesses(FileCall::Access access, FilePointer pointer, int count, MPI_Datatype type) {
  file_->access = access;
  file_->count = count;
  file_->memory = layout_of(type);
  if (file_->memory == nullptr || count < 0) return *this;
  file_->bytes = count * file_->memory->size();
  if (files_of_mpi != nullptr) files_of_mpi->describe_access(handle_, pointer, *file_);
  return *this;
}

MpiCall& MpiCall::reads(FilePointer pointer, int count, MPI_Datatype type) {
  accesses(FileCall::Access::read, pointer, count, type);
  return gets(count, type);
}

MpiCall& MpiCall::writes(FilePointer pointer, int count, MPI_Datatype type) {
  accesses(FileCall::Access::write, pointer, count, type);
  return gives(count, type);
}

MpiCall& MpiCall::accessed(MPI_Status*& status) {
  if (status == MPI_STATUS_IGNORE) status = &own_status_;
  file_status_ = status;
  return *this;
}

void MpiCall::finish_file() {
  if (made_file_ != nullptr) handle_ = *made_file_;
  if (file_status_ != nullptr) file_->done = file_status_->count;
  if (files_of_mpi != nullptr) files_of_mpi->returned(rank_table().self(), handle_, *file_);
}

std::vector<std::pair<std::string, std::string>> hints_of(MPI_Info info) {
  std::vector<std::pair<std::string, std::string>> hints;
  int keys = 0;
  if (info == MPI_INFO_NULL || PMPI_Info_get_nkeys(info, &keys) != MPI_SUCCESS) return hints;
  for (int i = 0; i < keys; ++i) {
    std::string key(MPI_MAX_INFO_KEY + 1, '\0');
    std::string value(MPI_MAX_INFO_VAL + 1, '\0');
    int found = 0;
    if (PMPI_Info_get_nthkey(info, i, key.data()) != MPI_SUCCESS) continue;
    PMPI_Info_get(info, key.c_str(), MPI_MAX_INFO_VAL, value.data(), &found);
    if (found != 0) hints.emplace_back(key.c_str(), value.c_str());
  }
  return hints;
}

} // namespace hypermon

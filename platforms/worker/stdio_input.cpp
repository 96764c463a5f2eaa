// SPDX-License-Identifier: BSD-3-Clause
// Replacements of the C library's input functions. Rank 0 reads program.input as its standard input; the other ranks
// read the worker's own, which is at its end. C++ streams call getc, ungetc, fread and read. Not covered: wide
// characters. Inlined functions (getchar_unlocked) call __uflow.
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/rank_streams.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

namespace hypermon {
namespace {

std::FILE* mine(std::FILE* stream) { return rank_streams().replacement(stream); }

int scan(const char* function, std::FILE* stream, const char* text, std::va_list values) {
  return real<int(std::FILE*, const char*, std::va_list)>(function)(mine(stream), text, values);
}

} // namespace

// Defines the C library's function `name`, whose last parameter is a stream.
#define READS(result, name, parameters, arguments)                                                                     \
  LIBC(result, name, READS_SPREAD parameters) {                                                                        \
    static auto* const next = real<result(READS_SPREAD parameters)>(#name);                                            \
    return next arguments;                                                                                             \
  }
#define READS_SPREAD(...) __VA_ARGS__

READS(int, fgetc, (std::FILE * stream), (mine(stream)))
READS(int, getc, (std::FILE * stream), (mine(stream)))
READS(int, _IO_getc, (std::FILE * stream), (mine(stream)))
READS(int, fgetc_unlocked, (std::FILE * stream), (mine(stream)))
READS(int, getc_unlocked, (std::FILE * stream), (mine(stream)))
READS(int, ungetc, (int c, std::FILE* stream), (c, mine(stream)))
READS(int, feof, (std::FILE * stream), (mine(stream)))
READS(int, feof_unlocked, (std::FILE * stream), (mine(stream)))
READS(int, ferror, (std::FILE * stream), (mine(stream)))
READS(void, clearerr, (std::FILE * stream), (mine(stream)))
READS(void, rewind, (std::FILE * stream), (mine(stream)))
READS(int, fseek, (std::FILE * stream, long by, int from), (mine(stream), by, from))
READS(long, ftell, (std::FILE * stream), (mine(stream)))
READS(char*, fgets, (char* text, int size, std::FILE* stream), (text, size, mine(stream)))
READS(char*, fgets_unlocked, (char* text, int size, std::FILE* stream), (text, size, mine(stream)))
READS(char*, __fgets_chk, (char* text, std::size_t room, int size, std::FILE* stream), (text, room, size, mine(stream)))
READS(std::size_t, fread, (void* data, std::size_t size, std::size_t count, std::FILE* stream),
      (data, size, count, mine(stream)))
READS(std::size_t, fread_unlocked, (void* data, std::size_t size, std::size_t count, std::FILE* stream),
      (data, size, count, mine(stream)))
READS(std::size_t, __fread_chk, (void* data, std::size_t room, std::size_t size, std::size_t count, std::FILE* stream),
      (data, room, size, count, mine(stream)))
READS(ssize_t, getline, (char** text, std::size_t* room, std::FILE* stream), (text, room, mine(stream)))
READS(ssize_t, getdelim, (char** text, std::size_t* room, int end, std::FILE* stream), (text, room, end, mine(stream)))
READS(ssize_t, __getdelim, (char** text, std::size_t* room, int end, std::FILE* stream),
      (text, room, end, mine(stream)))
READS(ssize_t, read, (int descriptor, void* data, std::size_t size),
      (rank_streams().replacement(descriptor), data, size))
READS(ssize_t, __read_chk, (int descriptor, void* data, std::size_t size, std::size_t room),
      (rank_streams().replacement(descriptor), data, size, room))
READS(ssize_t, readv, (int descriptor, const iovec* parts, int count),
      (rank_streams().replacement(descriptor), parts, count))
LIBC(int, getchar, void) { return own_fgetc(stdin); }
LIBC(int, getchar_unlocked, void) { return own_fgetc(stdin); }
/// Inlined functions call this when the buffer is empty, which the shared standard input's buffer always is.
LIBC(int, __uflow, std::FILE* stream) {
  if (mine(stream) != stream) return own_fgetc(stream);
  static auto* const next = real<int(std::FILE*)>("__uflow");
  return next(stream);
}

#define SCANS(prefix)                                                                                                  \
  LIBC(int, prefix##vfscanf, std::FILE* stream, const char* text, std::va_list values) {                               \
    return scan(#prefix "vfscanf", stream, text, values);                                                              \
  }                                                                                                                    \
  LIBC(int, prefix##vscanf, const char* text, std::va_list values) {                                                   \
    return scan(#prefix "vfscanf", stdin, text, values);                                                               \
  }                                                                                                                    \
  LIBC(int, prefix##fscanf, std::FILE* stream, const char* text, ...) {                                                \
    std::va_list values;                                                                                               \
    va_start(values, text);                                                                                            \
    const int found = scan(#prefix "vfscanf", stream, text, values);                                                   \
    va_end(values);                                                                                                    \
    return found;                                                                                                      \
  }                                                                                                                    \
  LIBC(int, prefix##scanf, const char* text, ...) {                                                                    \
    std::va_list values;                                                                                               \
    va_start(values, text);                                                                                            \
    const int found = scan(#prefix "vfscanf", stdin, text, values);                                                    \
    va_end(values);                                                                                                    \
    return found;                                                                                                      \
  }
SCANS()
SCANS(__isoc99_)
SCANS(__isoc23_)

} // namespace hypermon

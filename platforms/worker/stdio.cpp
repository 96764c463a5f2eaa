// SPDX-License-Identifier: BSD-3-Clause
// Replacements of the C library's output functions. The ranks are contexts of this one process; standard output and
// standard error of each rank go to a file of its own. The worker's own output and other files go to the C library
// unchanged. C++ streams call fwrite, putc and write, which are included. Not covered: wide characters, and std::cout
// after sync_with_stdio(false), whose buffer all ranks share.
#include "platforms/worker/stdio.hpp"
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/rank_output.hpp"
#include "platforms/worker/rank_streams.hpp"
#include "platforms/worker/ranks.hpp"

#include <sys/uio.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace hypermon {
namespace {

int inside = 0; // number of the program's calls in progress

struct Inside {
  Inside() { ++inside; }
  ~Inside() { --inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

struct Target {
  int rank;
  RankOutput::Stream stream;
  void write(const char* text, std::size_t size) const { rank_output().write(rank, stream, {text, size}); }
  void put(int c) const {
    const char byte = static_cast<char>(c);
    write(&byte, 1);
  }
};

/// None if the C library must handle the call.
std::optional<Target> target_of(bool is_out, bool is_error) {
  if (!is_out && !is_error) return std::nullopt;
  const auto rank = ranks().current();
  if (!rank) return std::nullopt;
  return Target{*rank, is_out ? RankOutput::out : RankOutput::error};
}
std::optional<Target> target_of(std::FILE* file) { return target_of(file == stdout, file == stderr); }
std::optional<Target> target_of(int descriptor) { return target_of(descriptor == 1, descriptor == 2); }

int format(const Target& target, const char* text, std::va_list values) {
  const Inside counted;
  std::va_list again;
  va_copy(again, values);
  const int size = std::vsnprintf(nullptr, 0, text, values);
  if (size >= 0) {
    std::string formatted(static_cast<std::size_t>(size) + 1, '\0');
    std::vsnprintf(formatted.data(), formatted.size(), text, again);
    target.write(formatted.data(), static_cast<std::size_t>(size));
  }
  va_end(again);
  return size;
}

int print(std::FILE* file, const char* text, std::va_list values) {
  file = rank_streams().replacement(file);
  if (const auto target = target_of(file)) return format(*target, text, values);
  static auto* const next = real<int(std::FILE*, const char*, std::va_list)>("vfprintf");
  return next(file, text, values);
}

int print(int descriptor, const char* text, std::va_list values) {
  descriptor = rank_streams().replacement(descriptor);
  if (const auto target = target_of(descriptor)) return format(*target, text, values);
  static auto* const next = real<int(int, const char*, std::va_list)>("vdprintf");
  return next(descriptor, text, values);
}

int put(int c, std::FILE* file) {
  file = rank_streams().replacement(file);
  if (const auto target = target_of(file)) {
    target->put(c);
    return static_cast<unsigned char>(c);
  }
  static auto* const next = real<int(int, std::FILE*)>("fputc");
  return next(c, file);
}

int put(const char* text, std::FILE* file) {
  file = rank_streams().replacement(file);
  if (const auto target = target_of(file)) {
    const Inside counted;
    target->write(text, std::strlen(text));
    return 1;
  }
  static auto* const next = real<int(const char*, std::FILE*)>("fputs");
  return next(text, file);
}

std::size_t put(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  file = rank_streams().replacement(file);
  if (const auto target = target_of(file)) {
    const Inside counted;
    target->write(static_cast<const char*>(data), size * count);
    return count;
  }
  static auto* const next = real<std::size_t(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite");
  return next(data, size, count, file);
}

int flush(std::FILE* file) {
  file = rank_streams().replacement(file);
  if (target_of(file)) return 0;
  static auto* const next = real<int(std::FILE*)>("fflush");
  return next(file);
}

int buffer(std::FILE* file, char* memory, int mode, std::size_t size) {
  file = rank_streams().replacement(file);
  if (target_of(file)) return 0; // the replacement stays
  static auto* const next = real<int(std::FILE*, char*, int, std::size_t)>("setvbuf");
  return next(file, memory, mode, size);
}

} // namespace

// Passes the variable arguments after `last` as `values` to `call`.
#define WITH_VALUES(last, call)                                                                                        \
  std::va_list values;                                                                                                 \
  va_start(values, last);                                                                                              \
  const int printed = call;                                                                                            \
  va_end(values);                                                                                                      \
  return printed

LIBC(int, printf, const char* text, ...) { WITH_VALUES(text, print(stdout, text, values)); }
LIBC(int, fprintf, std::FILE* file, const char* text, ...) { WITH_VALUES(text, print(file, text, values)); }
LIBC(int, dprintf, int descriptor, const char* text, ...) { WITH_VALUES(text, print(descriptor, text, values)); }
LIBC(int, vprintf, const char* text, std::va_list values) { return print(stdout, text, values); }
LIBC(int, vfprintf, std::FILE* file, const char* text, std::va_list values) { return print(file, text, values); }
LIBC(int, vdprintf, int descriptor, const char* text, std::va_list values) { return print(descriptor, text, values); }
// -D_FORTIFY_SOURCE renames calls to these functions.
LIBC(int, __printf_chk, int, const char* text, ...) { WITH_VALUES(text, print(stdout, text, values)); }
LIBC(int, __fprintf_chk, std::FILE* file, int, const char* text, ...) { WITH_VALUES(text, print(file, text, values)); }
LIBC(int, __dprintf_chk, int descriptor, int, const char* text, ...) {
  WITH_VALUES(text, print(descriptor, text, values));
}
LIBC(int, __vprintf_chk, int, const char* text, std::va_list values) { return print(stdout, text, values); }
LIBC(int, __vfprintf_chk, std::FILE* file, int, const char* text, std::va_list values) {
  return print(file, text, values);
}
LIBC(int, __vdprintf_chk, int descriptor, int, const char* text, std::va_list values) {
  return print(descriptor, text, values);
}

LIBC(int, puts, const char* text) { return put(text, stdout) < 0 || put('\n', stdout) < 0 ? EOF : 1; }
LIBC(int, fputs, const char* text, std::FILE* file) { return put(text, file); }
LIBC(int, fputs_unlocked, const char* text, std::FILE* file) { return put(text, file); }
LIBC(int, putchar, int c) { return put(c, stdout); }
LIBC(int, putchar_unlocked, int c) { return put(c, stdout); }
LIBC(int, fputc, int c, std::FILE* file) { return put(c, file); }
LIBC(int, fputc_unlocked, int c, std::FILE* file) { return put(c, file); }
LIBC(int, putc, int c, std::FILE* file) { return put(c, file); }
LIBC(int, _IO_putc, int c, std::FILE* file) { return put(c, file); }
LIBC(int, putc_unlocked, int c, std::FILE* file) { return put(c, file); }
LIBC(std::size_t, fwrite, const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  return put(data, size, count, file);
}
LIBC(std::size_t, fwrite_unlocked, const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  return put(data, size, count, file);
}
LIBC(int, fflush, std::FILE* file) { return flush(file); }
LIBC(int, fflush_unlocked, std::FILE* file) { return flush(file); }
LIBC(int, setvbuf, std::FILE* file, char* memory, int mode, std::size_t size) {
  return buffer(file, memory, mode, size);
}
LIBC(void, setbuf, std::FILE* file, char* memory) { buffer(file, memory, memory ? _IOFBF : _IONBF, BUFSIZ); }
LIBC(void, setlinebuf, std::FILE* file) { buffer(file, nullptr, _IOLBF, 0); }
/// The inline putc_unlocked calls this function when the buffer is full, which standard output's buffer always is
/// (keep_stdio()).
LIBC(int, __overflow, std::FILE* file, int c) {
  if (target_of(file)) return put(c, file);
  static auto* const next = real<int(std::FILE*, int)>("__overflow");
  return next(file, c);
}

LIBC(void, perror, const char* text) {
  const int number = errno;
  if (text != nullptr && *text != '\0') own_fprintf(stderr, "%s: ", text);
  own_fprintf(stderr, "%s\n", std::strerror(number));
}
LIBC(ssize_t, write, int descriptor, const void* data, std::size_t size) {
  descriptor = rank_streams().replacement(descriptor);
  if (const auto target = target_of(descriptor)) {
    target->write(static_cast<const char*>(data), size);
    return static_cast<ssize_t>(size);
  }
  static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
  return next(descriptor, data, size);
}
LIBC(ssize_t, writev, int descriptor, const iovec* parts, int count) {
  descriptor = rank_streams().replacement(descriptor);
  if (const auto target = target_of(descriptor)) {
    ssize_t written = 0;
    for (int i = 0; i < count; ++i) {
      target->write(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
      written += static_cast<ssize_t>(parts[i].iov_len);
    }
    return written;
  }
  static auto* const next = real<ssize_t(int, const iovec*, int)>("writev");
  return next(descriptor, parts, count);
}
/// assert() of the program. The C library would write to the worker's standard error.
LIBC(void, __assert_fail, const char* what, const char* file, unsigned line, const char* function) {
  const Inside counted;
  own_fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
  std::abort();
}

bool inside_stdio() { return inside > 0; }

void keep_stdio() {
  for (std::FILE* file : {stdout, stderr}) own_setvbuf(file, nullptr, _IONBF, 0);
}

} // namespace hypermon

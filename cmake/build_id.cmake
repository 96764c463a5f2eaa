# SPDX-License-Identifier: BSD-3-Clause
# cmake -DMACRO=... -DVERSION=... -DROOT=... -DHEADERS=a:b:... -DOUT=FILE -P build_id.cmake: writes a header with the text
# that an object of a user's and the program that loads it must have in common. Equal headers give equal texts, in any
# folder. python/hypermon/_inputs/programs/rtl_sources.py makes the same text.
string(REPLACE ":" ";" HEADERS "${HEADERS}")
set(all)
foreach(header IN LISTS HEADERS)
  file(SHA256 ${ROOT}/${header} hash)
  string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 12 hash)
file(WRITE ${OUT} "// Text that an object of a user's and hypermon-sim must have in common (cmake/build_id.cmake).
#pragma once
#define HYPERMON_TEXT_OF(value) #value
#define HYPERMON_TEXT(value) HYPERMON_TEXT_OF(value)
#define ${MACRO} \"${VERSION} (headers ${hash}, C++ ABI \" HYPERMON_TEXT(__GXX_ABI_VERSION) \")\"
")

# SPDX-License-Identifier: BSD-3-Clause
# cmake -DVERSION=... -DROOT=... -DHEADERS=a:b:... -DOUT=FILE -P build_id.cmake: what a plug-in and hypermon-sim must
# have in common, as a text. Same headers, same text, wherever they lie.
string(REPLACE ":" ";" HEADERS "${HEADERS}")
set(all)
foreach(header IN LISTS HEADERS)
  file(SHA256 ${ROOT}/${header} hash)
  string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 12 hash)
file(WRITE ${OUT} "// Of the headers that plug-ins are built against (cmake/plugins.cmake).
#pragma once
#define HYPERMON_TEXT_OF(value) #value
#define HYPERMON_TEXT(value) HYPERMON_TEXT_OF(value)
#define HYPERMON_BUILD \"${VERSION} (headers ${hash}, C++ ABI \" HYPERMON_TEXT(__GXX_ABI_VERSION) \")\"
")

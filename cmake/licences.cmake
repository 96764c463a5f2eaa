# SPDX-License-Identifier: BSD-3-Clause
# Into OUT: the licences of the Debian packages that bring LIBRARIES, what these need, and HEADERS, by the sources that
# the packages are built from; of pybind11; and a list of all. WITHOUT_NS3: its libraries are not inside. Included at
# installation (cmake/wheel.cmake).

# Where auditwheel leaves them to the system: the policies manylinux_*.
set(systems "/(ld-linux[^/]*|lib(c|m|gcc_s|stdc\\+\\+|pthread|dl|rt|z))[.]so[^/]*$")
set(absent)
if(WITHOUT_NS3)
  set(absent PRE_EXCLUDE_REGEXES "^libns3")
endif()
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${LIBRARIES} RESOLVED_DEPENDENCIES_VAR needed
  ${absent} POST_EXCLUDE_REGEXES ${systems})
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})
set(paths)
foreach(file IN LISTS LIBRARIES needed HEADERS)
  string(REGEX REPLACE "^/usr" "*" path ${file}) # /lib is /usr/lib, and dpkg knows one of them
  string(REGEX REPLACE "^/" "*/" path ${path})
  list(APPEND paths ${path})
endforeach()
list(REMOVE_DUPLICATES paths)
execute_process(COMMAND dpkg-query --search ${paths} OUTPUT_VARIABLE owners COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" owners "${owners}")
list(TRANSFORM owners REPLACE "[:, ].*" "" OUTPUT_VARIABLE packages)
list(REMOVE_DUPLICATES packages)
execute_process(COMMAND dpkg-query --show "--showformat=\${Package}: \${source:Package} \${source:Version}\n" ${packages}
  OUTPUT_VARIABLE sources COMMAND_ERROR_IS_FATAL ANY)

set(list "Inside this wheel, from Debian, with the package of sources that each is built from:\n\n${sources}")
string(REGEX MATCHALL "[^\n]+" sources "${sources}")
foreach(line IN LISTS sources)
  string(REGEX MATCH "^([^ ]+): ([^ ]+)" matched ${line})
  file(COPY_FILE /usr/share/doc/${CMAKE_MATCH_1}/copyright ${OUT}/${CMAKE_MATCH_2})
endforeach()
file(WRITE ${OUT}/README "${list}pybind11: from PyPI\n")

cmake_path(GET PYBIND11 PARENT_PATH site) # of site-packages/pybind11/share/cmake/pybind11
foreach(level RANGE 2)
  cmake_path(GET site PARENT_PATH site)
endforeach()
file(GLOB licence ${site}/pybind11-*.dist-info/licenses/LICENSE ${site}/pybind11-*.dist-info/LICENSE)
if(NOT licence)
  message(FATAL_ERROR "pybind11's licence is not beside ${PYBIND11}")
endif()
file(COPY_FILE ${licence} ${OUT}/pybind11)

# SPDX-License-Identifier: BSD-3-Clause
# Into OUT: the licences of the Debian packages that bring LIBRARIES, what these need, and HEADERS, by the sources that
# the packages are built from; of pybind11; and a list of all. Included at installation (cmake/wheel.cmake).

# Where auditwheel leaves them to the system: the policies manylinux_*.
set(systems "/(ld-linux[^/]*|lib(c|m|gcc_s|stdc\\+\\+|pthread|dl|rt|z))[.]so[^/]*$")
file(GET_RUNTIME_DEPENDENCIES LIBRARIES ${LIBRARIES} RESOLVED_DEPENDENCIES_VAR needed
  POST_EXCLUDE_REGEXES ${systems})
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})
set(packages)
foreach(file IN LISTS LIBRARIES needed HEADERS)
  cmake_path(GET file FILENAME name)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder) # of two headers of one name; a library's is /lib or /usr/lib
  execute_process(COMMAND dpkg-query --search "*/${folder}/${name}" OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "^[^:, ]+" owner "${owner}")
  list(APPEND packages ${owner})
endforeach()
list(REMOVE_DUPLICATES packages)
list(SORT packages)

set(list "Inside this wheel, from Debian, with the package of sources that each is built from:\n\n")
foreach(package IN LISTS packages)
  execute_process(COMMAND dpkg-query --show "--showformat=\${source:Package} \${source:Version}" ${package}
    OUTPUT_VARIABLE source COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND list "${package}: ${source}\n")
  string(REGEX MATCH "^[^ ]+" source "${source}")
  file(COPY_FILE /usr/share/doc/${package}/copyright ${OUT}/${source})
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

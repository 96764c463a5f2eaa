# SPDX-License-Identifier: BSD-3-Clause
# What a wheel has beside the Python package's own files: component wheel, whose prefix is the package's folder
# (pyproject.toml). With HYPERMON_BUNDLE it runs where neither SimGrid nor SystemC is installed: scripts/wheel.
install(TARGETS hypermon-sim RUNTIME DESTINATION bin COMPONENT wheel)
if(TARGET hypermon_python)
  install(TARGETS hypermon_python LIBRARY DESTINATION . COMPONENT wheel)
  set_target_properties(hypermon_python PROPERTIES INSTALL_RPATH "") # it needs the system's libraries only
endif()
install(DIRECTORY scenarios sw/include DESTINATION . COMPONENT wheel)
install(DIRECTORY platforms/machines DESTINATION . COMPONENT wheel)
install(DIRECTORY waves/views/ DESTINATION wave_views COMPONENT wheel)
install(DIRECTORY hw/hypermon/rtl DESTINATION . COMPONENT wheel)
# Headers for capture boards and modules of users (ecb.rtl, ecb.module, pbx.module; hypermon.headers prints the folder).
foreach(header IN LISTS HYPERMON_MODULES_HEADERS ITEMS hw/hypermon/rtl_board/pins.hpp hw/hypermon/rtl_board/rtl_board.hpp)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION hardware/${folder} COMPONENT wheel)
endforeach()
install(FILES ${HYPERMON_MODULES_BUILD} DESTINATION hardware COMPONENT wheel)
if(NOT HYPERMON_BUNDLE)
  if(HYPERMON_WITHOUT_NS3)
    install(DIRECTORY ${HYPERMON_WITHOUT_NS3} DESTINATION . COMPONENT wheel FILES_MATCHING PATTERN "*.so*")
    set_target_properties(hypermon-sim PROPERTIES INSTALL_RPATH "$ORIGIN/../without-ns3")
  endif()
  return()
endif()

# SimGrid's library keeps its name: programs that its compilers link need it by that. What it needs itself, and SystemC,
# auditwheel puts beside it.
set(simgrid ${PROJECT_BINARY_DIR}/simgrid)
file(REAL_PATH ${SIMGRID_LIBRARY} library)
cmake_path(GET library FILENAME name)
file(CONFIGURE OUTPUT ${simgrid}/libsimgrid.so CONTENT "INPUT(-l:${name}) /* a wheel has no links */\n")
install(FILES ${library} ${simgrid}/libsimgrid.so DESTINATION simgrid/lib COMPONENT wheel)
set_target_properties(hypermon-sim PROPERTIES INSTALL_RPATH "$ORIGIN/../simgrid/lib")

# Its compilers: the same scripts, for where they then are.
cmake_path(GET SIMGRID_LIBRARY PARENT_PATH folder)
cmake_path(GET SMPICC PARENT_PATH compilers)
foreach(compiler IN ITEMS smpicc smpicxx smpif90 smpiff)
  if(NOT EXISTS ${compilers}/${compiler})
    continue() # a SimGrid without Fortran
  endif()
  file(READ ${compilers}/${compiler} script)
  string(REPLACE "${SIMGRID_INCLUDE_DIR}/" "$simgrid/include/" script "${script}")
  string(REPLACE "\"-I${SIMGRID_INCLUDE_DIR}\"" "\"-I$simgrid/include\"" script "${script}")
  string(REPLACE "${folder}" "$simgrid/lib" script "${script}")
  string(REGEX REPLACE "\n(CC|CXX|REAL_FORTRAN_COMPILER)=/[^\n]*/([^/\n]+)" "\n\\1=\\2" script "${script}")
  # What configure tries out is run as it is.
  string(REPLACE "\"-lsimgrid\"" "\"-lsimgrid\" \${SMPI_PRETEND_CC:+\"-Wl,-rpath,$simgrid/lib\"}" script "${script}")
  if(script MATCHES "/usr/(include|lib)")
    message(FATAL_ERROR "${compilers}/${compiler} still names ${CMAKE_MATCH_0}: cmake/wheel.cmake does not know this SimGrid")
  endif()
  string(PREPEND script "#!/bin/sh\nsimgrid=$(dirname -- \"$(dirname -- \"$(readlink -f -- \"$0\")\")\")\n")
  file(CONFIGURE OUTPUT ${simgrid}/${compiler} CONTENT "${script}" @ONLY)
  install(PROGRAMS ${simgrid}/${compiler} DESTINATION simgrid/bin COMPONENT wheel)
endforeach()

# Its headers, and those of Boost that they include.
file(CONFIGURE OUTPUT ${simgrid}/headers.cpp CONTENT "#include <smpi/smpi.h>\n")
execute_process(COMMAND ${SMPICXX} -M ${simgrid}/headers.cpp OUTPUT_VARIABLE included COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n\\]+/boost/[^ \n\\]+" boost "${included}")
foreach(header IN LISTS boost)
  cmake_path(GET header PARENT_PATH folder)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${SIMGRID_INCLUDE_DIR})
  install(FILES ${header} DESTINATION simgrid/include/${folder} COMPONENT wheel)
endforeach()
foreach(folder IN ITEMS simgrid smpi xbt)
  install(DIRECTORY ${SIMGRID_INCLUDE_DIR}/${folder} DESTINATION simgrid/include COMPONENT wheel)
endforeach()

# The licences of all that is inside.
file(REAL_PATH ${SYSTEMC_LIBRARY} systemc)
set(headers ${NLOHMANN_JSON_INCLUDE_DIR}/nlohmann/json.hpp ${boost})
install(CODE "
  set(LIBRARIES ${library} ${systemc})
  set(WITHOUT_NS3 ${HYPERMON_WITHOUT_NS3})
  set(HEADERS \"${headers}\")
  set(PYBIND11 \"${pybind11_DIR}\")
  set(OUT ${SKBUILD_METADATA_DIR}/licenses/bundled)
  include(${PROJECT_SOURCE_DIR}/cmake/licences.cmake)" COMPONENT wheel)

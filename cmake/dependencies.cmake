# SPDX-License-Identifier: BSD-3-Clause
# What of Debian's packages is missing is said in one error, before anything else can be one.
include(CheckLanguage)
set(missing)
macro(hypermon_require variable package)
  if(NOT ${variable})
    list(APPEND missing ${package})
  endif()
endmacro()
check_language(CXX)
hypermon_require(CMAKE_CXX_COMPILER g++)
find_path(SIMGRID_INCLUDE_DIR simgrid/version.h)
find_program(SMPICC smpicc)
find_program(SMPICXX smpicxx)
if(NOT SMPICC OR NOT SMPICXX)
  set(SIMGRID_INCLUDE_DIR SIMGRID_INCLUDE_DIR-NOTFOUND)
endif()
hypermon_require(SIMGRID_INCLUDE_DIR libsimgrid-dev)
find_path(SYSTEMC_INCLUDE_DIR systemc)
hypermon_require(SYSTEMC_INCLUDE_DIR libsystemc-dev)
find_path(NLOHMANN_JSON_INCLUDE_DIR nlohmann/json.hpp)
hypermon_require(NLOHMANN_JSON_INCLUDE_DIR nlohmann-json3-dev)
if(SKBUILD) # pip says where its Python's headers would be
  find_path(PYTHON_HEADERS Python.h PATHS ${Python_INCLUDE_DIR} NO_DEFAULT_PATH)
  hypermon_require(PYTHON_HEADERS python3-dev)
endif()
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "hypermon is built with packages that are missing here. On Debian: apt-get install ${missing}")
endif()
enable_language(C)
enable_language(CXX)

# Binaries are linked with the search paths of their installation. CMake would otherwise end the build tree's paths with
# colons, as room for those of the installation. An empty path is the current folder, whose libraries would be loaded.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# SimGrid ships pkg-config files only, and a bare machine has no pkg-config.
find_library(SIMGRID_LIBRARY simgrid REQUIRED)
add_library(SimGrid::SimGrid UNKNOWN IMPORTED)
set_target_properties(SimGrid::SimGrid PROPERTIES
  IMPORTED_LOCATION ${SIMGRID_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${SIMGRID_INCLUDE_DIR}
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SIMGRID_INCLUDE_DIR})
include(${CMAKE_CURRENT_LIST_DIR}/without_ns3.cmake)

find_package(nlohmann_json REQUIRED)
if(HYPERMON_TESTS)
  find_package(Catch2 REQUIRED)
  find_package(rapidcheck CONFIG REQUIRED)
  include(Catch)
endif()

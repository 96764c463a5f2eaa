# SimGrid ships pkg-config files only, and a bare machine has no pkg-config.
find_path(SIMGRID_INCLUDE_DIR simgrid/version.h REQUIRED)
find_library(SIMGRID_LIBRARY simgrid REQUIRED)
find_program(SMPICC smpicc REQUIRED)
find_program(SMPICXX smpicxx REQUIRED)
add_library(SimGrid::SimGrid UNKNOWN IMPORTED)
set_target_properties(SimGrid::SimGrid PROPERTIES
  IMPORTED_LOCATION ${SIMGRID_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${SIMGRID_INCLUDE_DIR}
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SIMGRID_INCLUDE_DIR})

find_package(nlohmann_json REQUIRED)
if(HYPERMON_TESTS)
  find_package(Catch2 REQUIRED)
  find_package(rapidcheck CONFIG REQUIRED)
  include(Catch)
endif()

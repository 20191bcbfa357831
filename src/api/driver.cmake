# SPDX-License-Identifier: Apache-2.0
# clarity_add_driver(TARGET MAP SOURCES...): a library that ICD loaders open. It shows the symbols of MAP and nothing
# else: applications load other copies of LLVM and of the libraries inside into the same process. It is never unloaded,
# because threads of ours may run to the end.
include(CheckCXXSourceCompiles)
# Applications wait for the driver to be loaded. The addresses in LLVM's tables, 160,000 of them, are relocated sooner
# where they are written in few bytes.
check_cxx_source_compiles("#include <features.h>
#if !defined(__GLIBC__) || !__GLIBC_PREREQ(2, 36)
#error this C library relocates one address after the other
#endif
int main() {}" CLARITY_RELATIVE_RELOCATIONS)

# Code that a process executes up to its first result lies together in the library: scripts/startup_order.py says how
# the list was made. Other linkers would need a list of their own.
set(startup_order ${CMAKE_CURRENT_LIST_DIR}/startup_order.tar.xz)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${startup_order})
set(CLARITY_ORDERING_FLAGS "" CACHE INTERNAL "Options of the linker that order the driver's functions")
if(CLARITY_LLVM_STATIC AND NOT CLARITY_SANITIZER)
  file(ARCHIVE_EXTRACT INPUT ${startup_order} DESTINATION ${CMAKE_CURRENT_BINARY_DIR})
  set(ordering -Wl,--symbol-ordering-file=${CMAKE_CURRENT_BINARY_DIR}/startup_order.txt
      -Wl,--no-warn-symbol-ordering)
  get_directory_property(of_all LINK_OPTIONS)
  set(CMAKE_REQUIRED_LINK_OPTIONS ${of_all} ${ordering})
  check_cxx_source_compiles("int main() {}" CLARITY_LINKER_ORDERS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(CLARITY_LINKER_ORDERS)
    set(CLARITY_ORDERING_FLAGS ${ordering} CACHE INTERNAL "Options of the linker that order the driver's functions")
  endif()
endif()

set(CLARITY_DRIVER_FOLDER ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "Where the files are that drivers alone have")

function(clarity_add_driver target map)
  add_library(${target} SHARED
    ${CLARITY_DRIVER_FOLDER}/exports.cpp ${CLARITY_DRIVER_FOLDER}/static_objects.cpp
    ${CLARITY_DRIVER_FOLDER}/allocation.cpp ${ARGN})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${map})
  if(CLARITY_PRIVATE_LIBRARIES)
    # Their stubs come before the libraries of which nothing is needed then (--as-needed).
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:clarity_private_libraries>)
  endif()
  target_link_libraries(${target} PRIVATE
    clarity_api clarity_core clarity_sched clarity_device clarity_compiler clarity_builtins clarity_support)
  if(CLARITY_LLVM_STATIC)
    target_compile_definitions(${target} PRIVATE CLARITY_LLVM_STATIC)
  endif()
  # LLVM's archives name libraries of which nothing is used (z3 alone takes a millisecond to load): --as-needed.
  target_link_options(${target} PRIVATE
    -Wl,--version-script=${map}
    -Wl,-Bsymbolic -Wl,--gc-sections -Wl,-z,nodelete -Wl,-z,now -Wl,--as-needed
    -Wl,--wrap=__cxa_atexit -Wl,--wrap=__cxa_thread_atexit)
  foreach(function malloc calloc realloc aligned_alloc _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t
          _ZnwmSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t)
    target_link_options(${target} PRIVATE -Wl,--wrap=${function})
  endforeach()
  if(NOT CLARITY_SANITIZER)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  target_link_options(${target} PRIVATE ${CLARITY_ORDERING_FLAGS})
  if(CLARITY_RELATIVE_RELOCATIONS)
    target_link_options(${target} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
endfunction()

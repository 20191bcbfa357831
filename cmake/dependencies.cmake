# SPDX-License-Identifier: Apache-2.0
# Every library that Clarity is built with, all of them packages of the distribution (cmake/packages.txt).
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_INSTALL_PREFIX}/lib/cmake/clang)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SLEEF REQUIRED IMPORTED_TARGET sleef)
find_library(OPENCL_LOADER OpenCL REQUIRED)

find_package(PNG REQUIRED)

# clarity_link_archive(TARGET NAME): links the imported library TARGET from its archive libNAME.a. Small libraries come
# with what is installed: the process starts sooner, and other distributions have them under other names.
function(clarity_link_archive target name)
  find_library(CLARITY_ARCHIVE_${name} lib${name}.a REQUIRED)
  mark_as_advanced(CLARITY_ARCHIVE_${name})
  foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION_NONE)
    set_target_properties(${target} PROPERTIES ${property} ${CLARITY_ARCHIVE_${name}})
  endforeach()
endfunction()
if(CLARITY_LLVM_STATIC)
  clarity_link_archive(ZLIB::ZLIB z)
  clarity_link_archive(zstd::libzstd_shared zstd)
  clarity_link_archive(PNG::PNG png16)
endif()

# Debian's clang archives say that they need the shared LLVM; the driver must not bring a second one into the process.
if(CLARITY_LLVM_STATIC)
  foreach(archive ${CLANG_EXPORTED_TARGETS})
    if(TARGET ${archive})
      get_target_property(needed ${archive} INTERFACE_LINK_LIBRARIES)
    endif()
    if(TARGET ${archive} AND needed)
      list(REMOVE_ITEM needed LLVM)
      set_target_properties(${archive} PROPERTIES INTERFACE_LINK_LIBRARIES "${needed}")
    endif()
  endforeach()
endif()

# Targets, analyses and back ends that the compiler uses; the rest of LLVM stays out of the driver.
set(CLARITY_LLVM_COMPONENTS
    core support irreader bitreader bitwriter linker analysis passes ipo scalaropts instcombine transformutils
    vectorize orcjit jitlink executionengine x86codegen x86asmparser x86desc x86disassembler x86info nvptxcodegen
    nvptxdesc nvptxinfo spirvcodegen spirvdesc spirvinfo targetparser codegen coverage
    frontendopenmp)

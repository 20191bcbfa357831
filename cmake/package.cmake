# SPDX-License-Identifier: Apache-2.0
# `cpack` in the build folder makes a .deb; the target `wheel` makes a Python wheel. Both take what `cmake --install`
# installs. tests/install says on which distributions they are tried.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clarity-opencl)
set(CPACK_PACKAGE_VENDOR "The Clarity developers")
# Who answers for a package, and where more is said: those who give one away name themselves.
set(CLARITY_CONTACT "The Clarity developers <maintainers@users.noreply.a-seed-c81f48d1.example>" CACHE STRING
    "Name and address in packages: NAME <ADDRESS>")
set(CLARITY_HOMEPAGE "${PROJECT_HOMEPAGE_URL}" CACHE STRING "Home page in packages")
if(NOT CLARITY_CONTACT MATCHES "^[^<>]+ <[^<>@ ]+@[^<>@ ]+>$")
  message(FATAL_ERROR "CLARITY_CONTACT is '${CLARITY_CONTACT}' and not of the form NAME <ADDRESS>")
endif()
set(CPACK_PACKAGE_CONTACT "${CLARITY_CONTACT}")
set(CPACK_PACKAGE_HOMEPAGE_URL "${CLARITY_HOMEPAGE}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL 3.1 for CPUs and NVIDIA GPUs: driver and command")
set(CPACK_PACKAGE_DESCRIPTION "Clarity runs OpenCL programs on the CPU, in vector registers and on all
cores, without a GPU. The package has the driver, which OpenCL loaders find,
the command `clarity`, which runs, compiles, times and shows kernels, and
samples. LLVM is inside.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

# Installed with DESTDIR, so that the rules see the final prefix and write it into clarity.icd.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# /etc/OpenCL/vendors/clarity.icd is no configuration file: it goes when the package is removed, because loaders report
# a driver that is named and not there.
set(CPACK_DEBIAN_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${packaging}/debian.cmake)
include(CPack)

# The plug-in for each MPI is a package of its own, because it needs that MPI: ninja package_openmpi.
foreach(mpi openmpi mpich)
  if(TARGET clarity_mpi_${mpi})
    add_custom_target(package_${mpi}
      COMMAND ${CMAKE_CPACK_COMMAND} -G DEB -D CPACK_PACKAGE_NAME=clarity-opencl-${mpi}
              -D "CPACK_INSTALL_CMAKE_PROJECTS=${PROJECT_BINARY_DIR}$<SEMICOLON>Clarity$<SEMICOLON>${mpi}$<SEMICOLON>/"
              -D "CPACK_DEBIAN_PACKAGE_DEPENDS=clarity-opencl (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})"
              -D CPACK_DEBIAN_PACKAGE_PROVIDES= -D CPACK_PRE_BUILD_SCRIPTS=
              -D "CPACK_PACKAGE_DESCRIPTION_SUMMARY=Clarity's devices of other machines, by ${mpi}"
              -D "CPACK_PACKAGE_DESCRIPTION=Lets a program use the OpenCL devices of all ranks of an MPI job."
      COMMENT "The package of the plug-in for ${mpi}" VERBATIM)
    add_dependencies(package_${mpi} clarity_mpi_${mpi})
  endif()
endforeach()

add_custom_target(wheel
  COMMAND ${Python3_EXECUTABLE} ${packaging}/wheel/build_wheel.py --build ${PROJECT_BINARY_DIR}
          --version ${PROJECT_VERSION} --output ${PROJECT_BINARY_DIR}
  COMMENT "The Python wheel" VERBATIM)
add_dependencies(wheel installed)

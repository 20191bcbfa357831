# SPDX-License-Identifier: Apache-2.0
# Run by `cmake --install`: writes clarity.icd and clarity.pc for the prefix, and says how loaders find the driver.
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_PREFIX}")
  get_filename_component(CMAKE_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
endif()
set(system_folder /etc/OpenCL/vendors)
set(folder "${CLARITY_ICD_FOLDER}")
if(NOT folder AND CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?/?$")
  set(folder ${system_folder})
elseif(NOT folder)
  set(folder "${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors")
endif()

set(CLARITY_DRIVER "${CMAKE_INSTALL_PREFIX}/${CLARITY_LIBDIR}/clarity/driver/libclarity.so")
set(CLARITY_ICD "${folder}/clarity.icd")
foreach(pair "clarity.icd.in;${CLARITY_ICD}"
             "clarity.pc.in;${CMAKE_INSTALL_PREFIX}/${CLARITY_LIBDIR}/pkgconfig/clarity.pc")
  list(GET pair 0 template)
  list(GET pair 1 file)
  message(STATUS "Installing: $ENV{DESTDIR}${file}")
  configure_file("${CLARITY_PACKAGING}/${template}" "$ENV{DESTDIR}${file}" @ONLY)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${file}")
endforeach()

if(folder STREQUAL system_folder)
  message(STATUS "OpenCL loaders find Clarity: ${CLARITY_ICD}")
else()
  message(STATUS "OpenCL loaders look in ${system_folder}, not in ${folder}. To lead them to Clarity:
     export OCL_ICD_VENDORS=${folder}/  # ocl-icd, Khronos' loader
     export OCL_ICD_FILENAMES=${CLARITY_DRIVER}  # Khronos' loader, beside the drivers of the system
   or start programs with ${CMAKE_INSTALL_PREFIX}/bin/clarity run PROGRAM")
endif()

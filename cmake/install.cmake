# SPDX-License-Identifier: Apache-2.0
# Files that are installed beside the libraries and programs: the clarity.icd, those by which CMake and pkg-config find
# the driver, licences and documents. Included last, so that its word is the last of `cmake --install`.
set(CLARITY_ICD_FOLDER "" CACHE PATH "Folder for clarity.icd; empty: the one that fits the prefix")
set(packaging ${PROJECT_SOURCE_DIR}/packaging)
set(described ${PROJECT_BINARY_DIR}/packaging)
set(clarity_documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/clarity-opencl)

# All that is installed is built by the target `installed`, which run.sh builds.
set(parts clarity clarity_tool clarity_manuals ${CLARITY_MPI_PLUGINS})
if(TARGET sample_programs)
  list(APPEND parts sample_programs)
endif()
add_custom_command(OUTPUT ${installed_stamp} COMMAND ${CMAKE_COMMAND} -E touch ${installed_stamp} DEPENDS ${parts}
                   COMMENT "All that is installed is there" VERBATIM)
add_custom_target(installed ALL DEPENDS ${installed_stamp})

install(FILES README.md CHANGELOG.md DESTINATION ${clarity_documents})
install(DIRECTORY docs DESTINATION ${clarity_documents} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
install(CODE "
  include(\"${packaging}/document_links.cmake\")
  get_filename_component(prefix \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
  clarity_remove_dead_links(\"\$ENV{DESTDIR}\${prefix}/${clarity_documents}\")
")

# find_package(Clarity)
include(CMakePackageConfigHelpers)
set(clarity_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Clarity)
file(RELATIVE_PATH CLARITY_DRIVER_IN_PREFIX / /${CMAKE_INSTALL_LIBDIR}/clarity/driver/libclarity.so)
file(RELATIVE_PATH CLARITY_COMMAND_IN_PREFIX / /${CMAKE_INSTALL_BINDIR}/clarity)
configure_package_config_file(${packaging}/ClarityConfig.cmake.in ${described}/ClarityConfig.cmake
  INSTALL_DESTINATION ${clarity_cmake_folder} NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${described}/ClarityConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${described}/ClarityConfig.cmake ${described}/ClarityConfigVersion.cmake
        DESTINATION ${clarity_cmake_folder})

# The licences of what is linked in or embedded, from the packages that it comes from.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${packaging}/notices.py ${described}/copyright
                RESULT_VARIABLE notices_failed ERROR_VARIABLE notices_error ERROR_STRIP_TRAILING_WHITESPACE)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${packaging}/notices.py LICENSE)
if(notices_failed)
  message(WARNING "no packages can be made here: ${notices_error}")
else()
  install(FILES ${described}/copyright DESTINATION ${clarity_documents})
endif()

# The clarity.icd holds the driver's path and goes where loaders look: /etc/OpenCL/vendors for an installation into the
# system, the prefix's own etc for any other (the loader is led there with OCL_ICD_VENDORS). It is written when
# installing, because `cmake --install --prefix` may choose another prefix than the configuration did.
install(CODE "
  set(CLARITY_ICD_FOLDER \"${CLARITY_ICD_FOLDER}\")
  set(CLARITY_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
  set(CLARITY_PACKAGING \"${packaging}\")
  set(CLARITY_VERSION \"${PROJECT_VERSION}\")
  include(\"${packaging}/install_icd.cmake\")
")

if(CLARITY_LLVM_STATIC AND NOT CLARITY_SANITIZER AND NOT notices_failed)
  include(cmake/package.cmake)
endif()

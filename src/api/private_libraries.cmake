# SPDX-License-Identifier: Apache-2.0
# The libraries that an installed driver brings along under names of their own (private_libraries.cpp says why), as the
# object library clarity_private_libraries, which drivers link in the place of those libraries. Debian has no archives
# of them, which would be linked as LLVM is. Builds that are not installed use the system's.
set(CLARITY_PRIVATE_LIBRARIES "" CACHE INTERNAL "Files in the folder of libraries that the driver needs beside it")
if(NOT CLARITY_LLVM_STATIC OR CLARITY_SANITIZER OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  return()
endif()
enable_language(ASM)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(CLARITY_PATCHELF patchelf REQUIRED)

# private_library(TARGET): appends the file that programs load to `originals`, and its new name to `private_names`.
set(originals "")
set(private_names "")
function(private_library target)
  get_target_property(file ${target} IMPORTED_LOCATION_RELEASE)
  if(NOT file)
    get_target_property(file ${target} IMPORTED_LOCATION_NONE)
  endif()
  if(NOT file)
    get_target_property(file ${target} IMPORTED_LOCATION)
  endif()
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${file} OUTPUT_VARIABLE described COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "SONAME +([^\n ]+)" found "${described}")
  set(name ${CMAKE_MATCH_1})
  get_filename_component(folder ${file} DIRECTORY)
  string(REGEX REPLACE "^([^.]+)\\.so" "\\1-clarity.so" private_name ${name})
  set(originals ${originals} ${folder}/${name} PARENT_SCOPE)
  set(private_names ${private_names} ${private_name} PARENT_SCOPE)
endfunction()
add_library(clarity_sleef_file SHARED IMPORTED)
set_target_properties(clarity_sleef_file PROPERTIES IMPORTED_LOCATION ${CLARITY_SLEEF})
private_library(clarity_sleef_file)
set(CLARITY_PRIVATE_LIBRARIES ${private_names} CACHE INTERNAL
    "Files in the folder of libraries that the driver needs beside it")

set(archives clarity_api clarity_core clarity_sched clarity_check clarity_profile clarity_device clarity_device_cpu
    clarity_device_cuda clarity_device_cluster clarity_device_server
    clarity_device_host clarity_device_interface clarity_compiler clarity_builtins clarity_support)
list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archive_files)
list(TRANSFORM private_names PREPEND ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/ OUTPUT_VARIABLE copies)
set(assembly ${CMAKE_CURRENT_BINARY_DIR}/private_libraries.S)
add_custom_command(OUTPUT ${assembly} ${copies}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/private_libraries.py
          --folder ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} --assembly ${assembly} --archives ${archive_files}
          --libraries ${originals}
  DEPENDS private_libraries.py ${archives} ${originals}
  COMMENT "Libraries under names of their own" VERBATIM)
add_library(clarity_private_libraries OBJECT private_libraries.cpp ${assembly})
install(FILES ${copies} DESTINATION ${CMAKE_INSTALL_LIBDIR}/clarity/driver)

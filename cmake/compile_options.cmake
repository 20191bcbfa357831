# SPDX-License-Identifier: Apache-2.0
# Warnings, sanitizers and the linker, the same for every target.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The build id tells compiled code in the cache which build made it (compiler/driver/cache.cpp).
  add_link_options(-fuse-ld=lld -Wl,--build-id)
endif()

# Installed files name no folder of the machine that built it. Other builds keep the paths, for debuggers.
if(CLARITY_LLVM_STATIC AND NOT CLARITY_SANITIZER)
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)
endif()

if(CLARITY_SANITIZER)
  # Programs find the sanitizer's shared library, which the driver that they load shares with them.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir OUTPUT_VARIABLE sanitizer_folder
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  add_link_options(-Wl,-rpath,${sanitizer_folder})
endif()
if(CLARITY_SANITIZER STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr,function -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined -shared-libsan)
elseif(CLARITY_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread -shared-libsan)
endif()

# clarity_precompile_headers(TARGET HEADERS...): headers that most files of the target include. Not in the dev preset,
# which checks that every file includes what it uses, and where ccache serves several work trees.
if(CLARITY_SHARED_PARSING)
  # The same headers give the same bytes, so that ccache finds what was compiled with them (scripts/setup.sh).
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
function(clarity_precompile_headers target)
  if(CLARITY_SHARED_PARSING)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
# clarity_reuse_precompiled_headers(TARGET OTHER): those of another target that has the same options and definitions.
function(clarity_reuse_precompiled_headers target other)
  if(CLARITY_SHARED_PARSING)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()
# clarity_compile_together(TARGET): several files of the target at a time, neighbours in its list: headers are read and
# their inline functions compiled once for all of them. Names of neighbours' anonymous namespaces must differ.
function(clarity_compile_together target)
  if(CLARITY_SHARED_PARSING)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
set(CLARITY_STANDARD_HEADERS
    <algorithm> <array> <atomic> <cstdint> <cstring> <functional> <memory> <mutex> <optional> <span> <string>
    <string_view> <utility> <vector> <fmt/format.h>)

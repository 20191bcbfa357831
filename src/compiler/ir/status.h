// SPDX-License-Identifier: Apache-2.0
// This file names how a compile can end.
#pragma once

namespace clarity::compiler {

enum class Status {
  Ok,
  InvalidOptions,  ///< CL_INVALID_BUILD_OPTIONS, _COMPILER_OPTIONS or _LINKER_OPTIONS, by the call
  CompileFailure,  ///< CL_BUILD_PROGRAM_FAILURE or CL_COMPILE_PROGRAM_FAILURE
  LinkFailure,     ///< CL_BUILD_PROGRAM_FAILURE or CL_LINK_PROGRAM_FAILURE
  InvalidBinary,   ///< CL_INVALID_BINARY
  OutOfMemory,     ///< CL_OUT_OF_HOST_MEMORY
  Internal,        ///< a fault inside the compiler, caught
};

}  // namespace clarity::compiler

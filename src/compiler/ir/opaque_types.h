// SPDX-License-Identifier: Apache-2.0
// This file says what takes the place of the opaque types of OpenCL C.
#pragma once

namespace llvm {
class Type;
}

namespace clarity::compiler {

/// Functions of portable IR that make a pipe of its address in global memory, for reading and for writing.
inline constexpr char readPipeOfStorage[] = "__spirv_CreatePipeFromPipeStorage_read",
                      writePipeOfStorage[] = "__spirv_CreatePipeFromPipeStorage_write";

/// A type with all opaque types in it lowered: images and pipes to pointers, samplers, reservations, command-queues and
/// events of the device to 64-bit numbers. The type itself if it contains none.
llvm::Type* lowered(llvm::Type* type);

}  // namespace clarity::compiler

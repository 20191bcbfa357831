// SPDX-License-Identifier: Apache-2.0
// This file keeps CUDA's assembler from converting numbers that are stored as they are.
#pragma once

#include <string>
#include <string_view>

namespace clarity::compiler {

/// LLVM stores the low bits of a value from the register that has the value: a byte of a float, a byte of a half, or
/// the first of the parts that it divides a double into at an address that is not aligned. Where the register holds the
/// result of an operation of floating-point numbers, ptxas (13.0) takes a store of fewer bits for a conversion:
/// F2I.U8.F64 writes 1 for the low byte of 1.5. From a register of as many bits (of 16 for a byte) it stores the bits,
/// with no further instruction.
///   before:  st.global.b8 [%rd4], %rd27;
///   after:   { .reg .b16 %narrow<1>; cvt.u16.u64 %narrow0, %rd27; st.global.b8 [%rd4], %narrow0; }
std::string withNarrowStores(std::string_view ptx);

}  // namespace clarity::compiler

// SPDX-License-Identifier: Apache-2.0
// This file keeps CUDA's assembler from converting numbers that are stored as they are.
#pragma once

#include <string>
#include <string_view>

namespace clarity::compiler {

/// LLVM stores a byte from a register of 32 bits. Where that holds the result of an operation of floats, ptxas (13.0)
/// takes the store for a conversion, which saturates: F2IP.U8.F32 writes 0xFF for every number from 255 on, not the
/// low 8 bits. From a register of 16 bits it stores the bits, with no further instruction.
///   before:  st.global.b8 [%rd4], %r55;
///   after:   { .reg .b16 %byte<4>; cvt.u16.u32 %byte0, %r55; st.global.b8 [%rd4], %byte0; }
std::string withByteStores(std::string_view ptx);

}  // namespace clarity::compiler

// SPDX-License-Identifier: Apache-2.0
// This file declares a work-around for conversions of half on processors that compute with it (AVX512-FP16).
#pragma once

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace clarity::compiler {

/// Upstream: of a half that `rint` rounds and that is then converted to an integer, LLVM 22 forgets the rounding where
/// the processor has arithmetic of half: it selects the conversion that truncates. It selects the right one for a
/// float. Here such a conversion goes by way of float. Returns what replaces the instruction; nullptr if it is no such
/// conversion.
llvm::Value* roundedInFloat(llvm::Instruction& instruction);

}  // namespace clarity::compiler

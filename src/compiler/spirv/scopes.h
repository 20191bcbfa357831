// SPDX-License-Identifier: Apache-2.0
// This file declares SPIR-V's scopes and memory semantics as OpenCL C's enumerations and flags.
#pragma once

#include <cstddef>
#include <cstdint>

namespace llvm {
class Value;
}

namespace clarity::compiler::spirv {

class FunctionReader;

/// OpenCL C's memory_order.
inline constexpr unsigned relaxed = 0, acquire = 2, release = 3, acquireRelease = 4, sequentiallyConsistent = 5;

// Kernels may compute scopes and memory semantics (SPIR-V 1.6, sections 3.27 and 3.25): LLVM's translator passes on the
// orders and scopes of OpenCL C's functions.

/// The order in an operand.
llvm::Value* orderAt(FunctionReader& in, std::size_t index);
/// The memory scope in an operand: memory_scope_work_item 0, work_group 1, device 2, all_svm_devices 3, sub_group 4.
/// Refuses other constants.
llvm::Value* scopeAt(FunctionReader& in, std::size_t index);
/// The kinds of memory in an operand: CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2, CLK_IMAGE_MEM_FENCE 4.
llvm::Value* fenceFlagsAt(FunctionReader& in, std::size_t index);

/// The order in constant memory semantics.
unsigned memoryOrder(std::uint64_t semantics);

/// Whether the execution scope in an operand is the sub-group; otherwise it is the work-group. Refuses other scopes.
bool isSubGroup(FunctionReader& in, std::size_t index);

}  // namespace clarity::compiler::spirv

// SPDX-License-Identifier: Apache-2.0
// This file declares SPIR-V's scopes and memory semantics as OpenCL C's enumerations and flags.
#pragma once

#include <cstdint>

namespace clarity::compiler::spirv {

class FunctionReader;

/// memory_order_relaxed 0, acquire 2, release 3, acq_rel 4, seq_cst 5.
unsigned memoryOrder(std::uint64_t semantics);
/// memory_scope_work_item 0, work_group 1, device 2, all_svm_devices 3, sub_group 4. Refuses other scopes.
unsigned memoryScope(FunctionReader& in, std::uint64_t scope);
/// CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2, CLK_IMAGE_MEM_FENCE 4.
unsigned fenceFlags(std::uint64_t semantics);

/// Whether the execution scope in an operand is the sub-group; otherwise it is the work-group. Refuses other scopes.
bool isSubGroup(FunctionReader& in, std::size_t index);

}  // namespace clarity::compiler::spirv

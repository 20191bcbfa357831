// SPDX-License-Identifier: Apache-2.0
// This file declares the handlers of instructions. A handler makes IR of the reader's current instruction and returns
// the value of its result; nullptr if it has none. It may rely on the grammar (check_operands.h) and must check what
// it demands of types: LLVM's verifier sees only what has been built.
#pragma once

#include <array>

namespace llvm {
class Value;
}

namespace clarity::compiler::spirv {

class FunctionReader;

using Handler = llvm::Value* (*)(FunctionReader&);

/// Opcodes above are extensions that nothing here reads.
inline constexpr std::size_t handlerCount = 8192;
using HandlerTable = std::array<Handler, handlerCount>;

void addArithmetic(HandlerTable&);     // arithmetic.cpp
void addDotProducts(HandlerTable&);    // dot_products.cpp
void addComparisons(HandlerTable&);    // comparisons.cpp
void addConversions(HandlerTable&);    // conversions.cpp
void addComposites(HandlerTable&);     // composites.cpp
void addMemory(HandlerTable&);         // memory.cpp
void addPointers(HandlerTable&);       // pointers.cpp
void addControlFlow(HandlerTable&);    // control_flow.cpp
void addCalls(HandlerTable&);          // calls.cpp
void addAtomics(HandlerTable&);        // atomics.cpp
void addBarriers(HandlerTable&);       // barriers.cpp
void addGroups(HandlerTable&);         // groups.cpp
void addSubGroups(HandlerTable&);      // sub_groups.cpp
void addImages(HandlerTable&);         // images.cpp
void addPipes(HandlerTable&);          // pipes.cpp
void addDeviceEnqueue(HandlerTable&);  // device_enqueue.cpp
void addExtended(HandlerTable&);       // opencl_std.cpp

/// The handler of the current instruction; nullptr for one that no handler has.
const HandlerTable& handlers();

}  // namespace clarity::compiler::spirv

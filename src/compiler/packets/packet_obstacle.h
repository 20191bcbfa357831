// SPDX-License-Identifier: Apache-2.0
// This file declares which types and instructions keep a region out of packets.
#pragma once

namespace llvm {
class Instruction;
class Type;
}  // namespace llvm

namespace clarity::compiler {

class PacketPlan;

/// Whether values of a type can be elements of vectors.
bool isVectorElement(const llvm::Type& type);
/// A structure whose fields can: the result of a compare-and-exchange, or of arithmetic with overflow.
bool isStructureOfElements(const llvm::Type& type);
/// An instruction that PacketBuilder has no form for, not even lane by lane; nullptr: there is none.
const llvm::Instruction* findObstacle(const PacketPlan& plan);

}  // namespace clarity::compiler

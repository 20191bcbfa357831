// SPDX-License-Identifier: Apache-2.0
// This file declares what the packet builder notes of its work, for reports.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// The form in which an instruction was generated for the lanes of a packet.
enum class How {
  OnePlace,  ///< one address for all lanes
  Consecutive,
  Reversed,    ///< consecutive, the last lane first
  Strided,     ///< vectors of all memory from the first to the last element, shuffled
  SideBySide,  ///< several accesses cover the memory from the first to the last lane: whole vectors, shuffled
  Runs,        ///< several accesses are consecutive in every lane: a vector for each lane, transposed
  Rows,        ///< consecutive from row to row of the tile: a vector for each lane, transposed
  Gather,      ///< one instruction for all lanes
  Elements,    ///< a gather or scatter without such an instruction: lane by lane, without branches
  EachLane,    ///< the instruction once for every active lane
  OneForAll,   ///< one atomic operation instead of those of all lanes
  Double,      ///< integer division in floating-point numbers
};

struct Note {
  How how = How::OnePlace;
  bool masked = false;       ///< lanes may be inactive
  unsigned count = 0;        ///< Strided: elements from lane to lane; SideBySide, Runs and Rows: how many there are
  bool nonTemporal = false;  ///< a non-temporal store in large launches
  bool unmaskable = false;   ///< not consecutive because the processor cannot mask such elements
  bool operator==(const Note&) const = default;
};

/// The notes of one tile. An instruction has several notes where it was generated in several forms, for all lanes and
/// for some.
class PacketNotes {
public:
  void add(const llvm::Instruction& instruction, Note note) {
    auto& known = notes_[&instruction];
    if (!llvm::is_contained(known, note)) known.push_back(note);
  }
  llvm::ArrayRef<Note> of(const llvm::Instruction& instruction) const {
    const auto found = notes_.find(&instruction);
    return found == notes_.end() ? llvm::ArrayRef<Note>() : llvm::ArrayRef<Note>(found->second);
  }

private:
  llvm::DenseMap<const llvm::Instruction*, llvm::SmallVector<Note, 2>> notes_;
};

}  // namespace clarity::compiler

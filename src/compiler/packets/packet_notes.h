// SPDX-License-Identifier: Apache-2.0
// This file declares what the packet builder notes of its work: the report says it in words.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// How an instruction was made for the lanes of a packet.
enum class How {
  OnePlace,     ///< one address for all lanes
  Consecutive,
  Reversed,     ///< consecutive, the last lane first
  Strided,      ///< loaded whole, with what lies between; stored back whole
  SideBySide,   ///< several accesses fill the memory from the first to the last lane together: whole vectors, shuffled
  Runs,         ///< several accesses lie side by side in every lane: a vector for each lane, transposed
  Rows,         ///< the tile's rows lie side by side: a vector for each lane, transposed
  Gather,       ///< one instruction for all lanes
  Elements,     ///< gathered or scattered without such an instruction: lane by lane, without branches
  EachLane,     ///< the instruction once for every lane that comes
  OneForAll,    ///< one atomic operation instead of those of all lanes
  Double,       ///< integer division by way of floating-point numbers
};

struct Note {
  How how = How::OnePlace;
  bool masked = false;      ///< not all lanes may come
  unsigned count = 0;       ///< Strided: elements from lane to lane; SideBySide, Runs and Rows: how many there are
  bool nonTemporal = false;     ///< goes past the caches in large launches
  bool unmaskable = false;  ///< consecutive, if only the processor had masks for such elements
  bool operator==(const Note&) const = default;
};

/// Of one tile. An instruction has several notes where it was made several times, for all lanes and for some.
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

// SPDX-License-Identifier: Apache-2.0
// This file finds out which memory of a kernel's arguments needs no check for races.
#pragma once

#include "compiler/instrument/affine_addresses.h"
#include "compiler/instrument/instrument.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace clarity::compiler {

struct Access;

/// The arguments of one function whose accesses are marked (raceMetadata).
class RaceArguments {
public:
  /// `isWhole`: all code that accesses memory for a kernel is in the kernel's function.
  RaceArguments(llvm::Function&, const InstrumentedPlaces&, bool isWhole);

  /// i1, known where a launch begins: whether work-items may race for what this access is to. Null: they may.
  llvm::Value* mayBeShared(const Site&);

private:
  /// An argument's accesses, as far as each work-item has its own elements.
  struct Own {
    bool isAffine = true;
    AffineNumber offset;              ///< the offset of the first access
    std::int64_t begin = 0, end = 0;  ///< the range of all of them, with its constant
    bool isNarrow = false;
    bool isEmpty = true;
  };
  void add(const Access&, const Site&);
  void addOffset(Own&, const Access&);
  llvm::Value* asked(std::uint32_t argument);
  /// i64: how far from the argument's beginning accesses are at most.
  llvm::Value* reachOf(const Own&);
  llvm::CallInst* call(const char* name, llvm::ArrayRef<llvm::Value*> arguments);

  AffineAddresses addresses_;
  bool writesAreKnown_ = false;               ///< the kernel writes only variables, and memory that arguments point at
  bool readsAreKnown_ = false;                ///< the same of what it reads
  std::uint64_t written_ = 0, accessed_ = 0;  ///< arguments below 64, as bits
  llvm::DenseMap<std::uint32_t, Own> own_;
  llvm::DenseMap<std::uint32_t, llvm::Value*> answers_;
};

}  // namespace clarity::compiler

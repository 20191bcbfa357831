// SPDX-License-Identifier: Apache-2.0
// This file makes loaded code known to the tools that look at this process: debuggers (gdb's JIT interface), perf (a
// map of names, and a jitdump with code and lines). CLARITY_DEBUG_INFO asks for it.
#pragma once

#include "compiler/host/source_place.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// Code that is loaded from now on is made known. Before the first is loaded.
void keepCodeKnown();
bool codeIsKnown();

/// The same for knownPlacesOf(), whose answers stay when the code goes.
void keepCodeRanges();
/// The places of an instruction, innermost first, and the kernel that it is of; empty: none that is known.
std::vector<SourcePlace> knownPlacesOf(const void* instruction, std::string& kernel);

/// Code that has just been loaded.
struct LoadedObject {
  std::string_view object;  ///< the ELF file that it was loaded from
  std::string_view symbol;  ///< the symbol of its entry
  std::string_view lines;   ///< its line table (line_table.h)
  const void* entry;
  std::size_t entryBytes;
};

/// Code that tools know until this is destroyed, which must be before the code goes. Tools read files of perf when the
/// process has ended, so there it stays.
class KnownCode {
public:
  explicit KnownCode(const LoadedObject& code);
  ~KnownCode();
  KnownCode(const KnownCode&) = delete;
  KnownCode& operator=(const KnownCode&) = delete;

private:
  struct Debugged;
  std::unique_ptr<Debugged> debugged_;  ///< null: the object is damaged
};

}  // namespace clarity::compiler

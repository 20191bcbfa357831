// SPDX-License-Identifier: Apache-2.0
// This file writes a module as machine code, to be loaded or to be read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

enum class EmitKind { Object, Assembly };

/// The effort of the code generator, beside what the machine's level says.
enum class Effort {
  Full,
  Quick,  ///< without what only makes code faster and takes much of its time (Shape::quick)
};

struct EmitOptions {
  EmitKind kind = EmitKind::Object;
  Effort effort = Effort::Full;
  std::string_view kernel{};  ///< its entry gets its name (entrySymbolOf())
  /// An object has DWARF, and all instructions in its line table; assembly has places in the source between its
  /// instructions.
  bool debugInfo = false;
  bool debugged = false;  ///< variables are described, too, and the entry keeps its own name
};

/// The module as an ELF object or as assembly text; empty with a text in `error` when the back end cannot.
/// `frameBytes`: what it needs on the stack (Frames::deepest).
std::string emit(llvm::Module& module, llvm::TargetMachine& machine, const EmitOptions& options,
                 std::uint64_t& frameBytes, std::string& error);

}  // namespace clarity::compiler

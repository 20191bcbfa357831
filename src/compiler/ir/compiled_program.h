// SPDX-License-Identifier: Apache-2.0
// This file is a compiled program: its kernels (compiled_kernel.h), its variables and its code, and how it becomes
// bytes.
#pragma once

#include "compiler/ir/compiled_kernel.h"
#include "compiler/ir/target.h"
#include "support/fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// A program's variables in global memory: one block, of which every program object has its own on every device. Native
/// code names a variable by a symbol that is bound to the block's address when the code is loaded.
struct GlobalVariables {
  struct Variable {
    std::string symbol;
    std::uint64_t offset = 0, bytes = 0;

    static constexpr auto fields() {
      using support::field;
      return support::fieldList(field("symbol", &Variable::symbol), field("offset", &Variable::offset),
                                field("bytes", &Variable::bytes));
    }
    bool operator==(const Variable&) const = default;
  };
  /// Bytes that are not zero to begin with.
  struct Content {
    std::uint64_t offset = 0;
    std::string bytes;

    static constexpr auto fields() {
      return support::fieldList(support::field("offset", &Content::offset), support::field("bytes", &Content::bytes));
    }
    bool operator==(const Content&) const = default;
  };
  /// A place that begins as the address of another place of the block.
  struct Pointer {
    std::uint64_t offset = 0, target = 0;

    static constexpr auto fields() {
      return support::fieldList(support::field("offset", &Pointer::offset), support::field("target", &Pointer::target));
    }
    bool operator==(const Pointer&) const = default;
  };
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  std::uint64_t largest = 0;        ///< bytes of the largest variable
  std::vector<Variable> variables;  ///< by symbol
  std::vector<Content> contents;
  std::vector<Pointer> pointers;

  const Variable* find(std::string_view symbol) const;

  static constexpr auto fields() {
    using G = GlobalVariables;
    using support::field;
    return support::fieldList(field("bytes", &G::bytes), field("alignment", &G::alignment),
                              field("largest", &G::largest), field("variables", &G::variables),
                              field("contents", &G::contents), field("pointers", &G::pointers));
  }
  bool operator==(const GlobalVariables&) const = default;
};

/// The parts of a program beside its kernels.
struct ProgramScope {
  GlobalVariables variables;
  /// Runs once, as one work-item, ahead of the first kernel: the constructors of program-scope objects. The application
  /// cannot launch it.
  std::optional<KernelInfo> constructors;

  static constexpr auto fields() {
    return support::fieldList(support::field("variables", &ProgramScope::variables),
                              support::field("constructors", &ProgramScope::constructors));
  }
  bool operator==(const ProgramScope&) const = default;
};

enum class BinaryType : std::uint8_t { Object = 1, Library = 2, Executable = 4 };  // values of CL_PROGRAM_BINARY_TYPE_*

/// A compiled program: what clGetProgramInfo(CL_PROGRAM_BINARIES) returns and clCreateProgramWithBinary takes.
struct CompiledProgram {
  BinaryType kind = BinaryType::Executable;
  std::string options;              ///< options of the build, as the application gave them
  std::vector<KernelInfo> kernels;  ///< in the source's order
  ProgramScope scope;               ///< variables of an Executable; for others, how many bytes they define
  std::string bitcode;     ///< Object, Library: portable IR; Executable: kernel IR (builtins linked, optimised)
  std::string portableIR;  ///< IR of an Executable that may be instrumented: with source lines and names; else empty
  std::array<std::uint64_t, 2> hash{};  ///< a hash of all of the above and the target; native code is cached under it

  const KernelInfo* find(std::string_view kernel) const;

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &CompiledProgram::kind), field("options", &CompiledProgram::options),
                              field("kernels", &CompiledProgram::kernels), field("scope", &CompiledProgram::scope),
                              field("bitcode", &CompiledProgram::bitcode),
                              field("portableIR", &CompiledProgram::portableIR), field("hash", &CompiledProgram::hash));
  }
  bool operator==(const CompiledProgram&) const = default;
};

static_assert(support::listsEveryField<GlobalVariables> && support::listsEveryField<GlobalVariables::Variable> &&
              support::listsEveryField<GlobalVariables::Content> && support::listsEveryField<GlobalVariables::Pointer>);
static_assert(support::listsEveryField<ProgramScope> && support::listsEveryField<CompiledProgram>);

/// Fills in CompiledProgram::hash from everything else in the compiled program and from the target. Last step of making
/// one.
void seal(CompiledProgram&, const Target&);

std::string serialise(const CompiledProgram&, const Target&);
/// nullptr and a sentence in `why` when the bytes are cut short, changed, or of another version or device.
std::shared_ptr<const CompiledProgram> deserialise(std::span<const std::byte>, const Target&, std::string& why);

}  // namespace clarity::compiler

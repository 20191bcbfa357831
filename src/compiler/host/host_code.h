// SPDX-License-Identifier: Apache-2.0
// This file is the host back end's code as the CPU device uses it: machine code in an object, and the same loaded into
// this process.
#pragma once

#include "compiler/host/source_place.h"
#include "compiler/host/target.h"
#include "compiler/ir/code_facts.h"
#include "compiler/ir/compiled_program.h"
#include "compiler/ir/device_code.h"
#include "compiler/ir/kernel_abi.h"
#include "compiler/ir/stored_code.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// An ELF object and its facts. The same for all programs; loadNative() binds it to the variables of one.
struct HostCodeContent {
  CodeFacts facts;
  std::string object;

  static constexpr auto fields() {
    return support::fieldList(support::field("facts", &HostCodeContent::facts),
                              support::field("object", &HostCodeContent::object));
  }
  bool operator==(const HostCodeContent&) const = default;
};
static_assert(support::listsEveryField<HostCodeContent>);

class HostCode final : public StoredCode<HostCodeContent> {
public:
  std::string_view backEnd() const override { return hostBackEndName; }
};

/// Code of one kernel for one shape, callable as long as this object lives.
class NativeKernel : public CodeFacts {
public:
  virtual ~NativeKernel() = default;
  Entry entry = nullptr;
  std::span<const std::byte> code;  ///< for finding out which kernel faulted
  std::string remarks;
  std::vector<Site> sites;
  bool fromCache = false;
  std::string lines;  ///< the line table (line_table.h)

  /// The place in the source of an instruction of the code, innermost first: what is behind the first was inlined into
  /// it. Empty if the code has no such instruction, or its place is not known.
  std::vector<SourcePlace> placesOf(const void* instruction) const;
};

struct NativeOutcome {
  Status status = Status::Ok;
  std::string log;
  std::shared_ptr<NativeKernel> kernel;
};

/// Loads code that generate() has made of a kernel of `compiled`, and binds it to the program's variables. `variables`
/// is where the block of ProgramScope::variables is; nullptr if it is empty.
NativeOutcome loadNative(const HostCode& code, const CompiledProgram& compiled, std::string_view kernel,
                         std::byte* variables);

/// Makes a function of this process callable by name from generated code (the runtime's printf). Before the first
/// loadNative(); `name` lives as long as the process.
void provideRuntimeSymbol(const char* name, void* address);

}  // namespace clarity::compiler

// SPDX-License-Identifier: Apache-2.0
// This file is the compiler as the rest of the project sees it: source to compiled program (once for each program),
// compiled program to device code (once for each shape). No LLVM type is visible. Every function may be called from any
// thread; none of them throws on bad input or ends the process: what is wrong is a Status and a text for the build log.
//
//   target.h            what code is generated for     source.h    what a program is given as
//   compiled_program.h  a compiled program             shape.h     what code is specialised for
//   device_code.h       the code of one kernel         status.h    why there is none
//   spirv_facts.h       a module of SPIR-V         access_summary.h  what a kernel accesses
#pragma once

#include "compiler/ir/access_summary.h"
#include "compiler/ir/compiled_program.h"
#include "compiler/ir/device_code.h"
#include "compiler/ir/shape.h"
#include "compiler/ir/source.h"
#include "compiler/ir/spirv_facts.h"
#include "compiler/ir/status.h"
#include "compiler/ir/target.h"
#include "support/hash.h"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clarity::compiler {

struct Outcome {
  Status status = Status::Ok;
  std::string log;  ///< clang's diagnostics with file, line and caret, and our own remarks
  std::shared_ptr<const CompiledProgram> compiled;
  bool fromCache = false;
};

/// The facts of a module of SPIR-V, or why it is none: "instruction 3 (OpTypeInt): it has 1 operands and needs more".
/// Looks at the grammar only; a build may still refuse the module.
std::expected<SpirvFacts, std::string> inspectSpirv(std::string_view bytes);
/// Capabilities and extensions that the reader knows, whatever the device.
const SpirvSupport& spirvSupport();

/// Why bytes are no portable IR: "its target is 'x86_64', not spir64-unknown-unknown"; empty if they are. Devices may
/// differ in whether inline assembly is possible; here it is.
std::string objectionToPortableIR(std::string_view bytes);

/// A source to a compiled program of kind Object (clCompileProgram). Only OpenCL's languages have headers.
Outcome compile(const Source& source, std::span<const Header> headers, std::string_view options, const Target&);
/// Compiled programs of kind Object or Library to one of kind Executable, or Library with -create-library
/// (clLinkProgram).
Outcome link(std::span<const std::shared_ptr<const CompiledProgram>> programs, std::string_view options, const Target&);
/// A source to a compiled program of kind Executable (clBuildProgram), through the disk cache.
Outcome build(const Source& source, std::string_view options, const Target&);

/// The step that generate() takes if the disk cache does not have the code.
enum class IfNotKept : std::uint8_t {
  Generate,
  GenerateAhead,  ///< generates it for a later launch; gives up when the process ends or cancelAhead() says so
  Leave,          ///< generates nothing: the outcome has neither code nor an error
};

/// Code of one kernel of a compiled program of kind Executable for one shape, by the target's back end. The disk cache
/// is consulted first. With IfNotKept::Leave no other thread is used.
CodeOutcome generate(const CompiledProgram&, std::string_view kernel, const Shape&, const Target&,
                     IfNotKept = IfNotKept::Generate);
/// Whether Shape::quick makes a difference to the code of the program's kernels, of a shape without instrumentation.
bool hasQuickCode(const CompiledProgram&);
/// The accesses of a kernel to its buffers, for a launch that is divided. Takes as long as reading its code.
AccessSummary accessesOf(const CompiledProgram&, std::string_view kernel);
/// Deletes cached code that failed to load.
void forgetCode(const CompiledProgram&, std::string_view kernel, const Shape&, const Target&);

/// A device's own product of code that it wants to find again in another process, machine code of a vendor's compiler
/// for example: in the disk cache, under a key that has all that it depends on. nullopt if it is not there.
std::optional<std::string> recall(const support::Hash128& key);
void remember(const support::Hash128& key, std::string_view bytes);

/// The folder in which compiled code is kept between processes. Set once, before the first build; without a folder
/// nothing is kept.
struct CacheConfig {
  std::string folder;
  std::uint64_t maxBytes = 256ull << 20;
};
void configureCache(CacheConfig);

/// Code that is loaded from now on is made known to debuggers and to perf (host/known_code.h). To be called before
/// the first launch.
void makeCodeKnown();

}  // namespace clarity::compiler

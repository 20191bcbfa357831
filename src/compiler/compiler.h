// SPDX-License-Identifier: Apache-2.0
// This file is the compiler as the rest of the project sees it: source to compiled program (once a program), compiled
// program to device code (once a shape). No LLVM type is visible. Every function may be called from any thread; none of
// them throws on bad input or ends the process: what is wrong is a Status and a text for the build log.
//
//   target.h            what code is generated for     source.h    what a program is given as
//   compiled_program.h  a compiled program             shape.h     what code is specialised for
//   device_code.h       the code of one kernel         status.h    why there is none
#pragma once

#include "compiler/compiled_program.h"
#include "compiler/device_code.h"
#include "compiler/shape.h"
#include "compiler/source.h"
#include "compiler/status.h"
#include "compiler/target.h"
#include "support/hash.h"

#include <cstdint>
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

/// Options that the compiler gets for contexts that initialise memory (cl_khr_initialize_memory): of what is compiled
/// for one, and linked for one.
inline constexpr char initializePrivateOption[] = "-cl-clarity-initialize-private";
inline constexpr char initializeLocalOption[] = "-cl-clarity-initialize-local";

/// A source to an Object (clCompileProgram). Portable IR has no use for headers.
Outcome compile(const Source& source, std::span<const Header> headers, std::string_view options, const Target&);
/// Objects and Libraries to an Executable, or to a Library with -create-library (clLinkProgram).
Outcome link(std::span<const std::shared_ptr<const CompiledProgram>> programs, std::string_view options, const Target&);
/// A source to an Executable in one go (clBuildProgram), through the disk cache.
Outcome build(const Source& source, std::string_view options, const Target&);

/// What becomes of code that the disk cache does not have.
enum class IfNotKept : std::uint8_t {
  Generate,
  GenerateAhead,  ///< the same for a launch to come: given up when the process ends, or giveUpAhead() says so
  Leave,
};

/// Code of one kernel of an Executable for one shape, by the target's back end. The disk cache is consulted first. With
/// IfNotKept::Leave an outcome without code is no failure, and no thread is used.
CodeOutcome generate(const CompiledProgram&, std::string_view kernel, const Shape&, const Target&,
                     IfNotKept = IfNotKept::Generate);
/// While it is true, compiles with IfNotKept::GenerateAhead end without code.
void giveUpAhead(bool isGivenUp) noexcept;
/// Whether Shape::quick makes a difference to the code of the program's kernels, of a shape without instrumentation.
bool hasQuickCode(const CompiledProgram&);
/// Takes code out of the disk cache that turned out not to load.
void forgetCode(const CompiledProgram&, std::string_view kernel, const Shape&, const Target&);

/// What a device makes of code and wants to find again in another process, machine code of a vendor's compiler for
/// example: in the disk cache, under a key that has all that it depends on. nullopt if it is not there.
std::optional<std::string> recall(const support::Hash128& key);
void remember(const support::Hash128& key, std::string_view bytes);

/// Where compiled code is kept between processes. Set once, before the first build; without a folder nothing is kept.
struct CacheConfig {
  std::string folder;
  std::uint64_t maxBytes = 256ull << 20;
};
void configureCache(CacheConfig);

}  // namespace clarity::compiler

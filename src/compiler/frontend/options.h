// SPDX-License-Identifier: Apache-2.0
// This file turns the options of clBuildProgram, clCompileProgram and clLinkProgram into a struct (OpenCL 3.0,
// section 5.8.6).
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// A version of the language as -cl-std names it.
enum class Language { C10 = 100, C11 = 110, C12 = 120, C20 = 200, C30 = 300, Cxx10 = 1000, Cxx2021 = 2021 };

/// Which call the options were given to: each has options that the others refuse.
enum class OptionsFor {
  Compile,
  Link,
  Build,
  Any,  ///< no call: what an image says that it was made with
};

/// Build options, understood. Everything that an option implies is set as well: -cl-fast-relaxed-math sets four more.
struct Options {
  std::string text;  ///< as the application gave them

  Language language = Language::C12;  ///< without -cl-std: "the highest OpenCL C 1.x version" (section 5.8.6.5)

  /// -D and -U in their order: {"X=1", false}, {"X", true}.
  struct Macro {
    std::string text;
    bool undefine = false;
  };
  std::vector<Macro> macros;
  std::vector<std::string> includeFolders;

  bool noWarnings = false;         ///< -w
  bool warningsAreErrors = false;  ///< -Werror
  std::vector<std::string> warnings;  ///< other -W options without "-W", for clang

  bool singlePrecisionConstant = false;
  bool correctlyRoundedDivideSqrt = false;  ///< -cl-fp32-correctly-rounded-divide-sqrt
  bool optDisable = false;
  bool madEnable = false;
  bool noSignedZeros = false;
  bool unsafeMath = false;
  bool finiteMathOnly = false;
  bool fastRelaxedMath = false;
  bool uniformWorkGroupSize = false;
  bool noSubgroupIndependentProgress = false;  ///< -cl-no-subgroup-ifp
  bool kernelArgInfo = false;  ///< -cl-kernel-arg-info; the names are kept without it too
  bool debug = false;          ///< -g: accepted; code carries no line tables

  bool report = false;         ///< -cl-clarity-report: the build log says what became of every kernel
  std::array<std::uint32_t, 3> reportLocal{};  ///< -cl-clarity-report=XxYxZ: for work-groups of this size; 0 0 0: of any
  bool instrument = false;     ///< -cl-clarity-instrument: the image keeps portable IR, from which instrumented code can be compiled
  bool names = false;          ///< set by the compiler for a report and for instrumentation: code knows its source, its lines and the names of variables
  unsigned packetLanes = 0;    ///< -cl-clarity-packet-width=: 0 chosen by the compiler; 1 one work-item at a time
  unsigned packetRows = 0;     ///< -cl-clarity-tile=ROWSxPACKETS: 0 chosen by the compiler
  unsigned packetColumns = 0;
  unsigned compileBudget = 0;  ///< -cl-clarity-compile-budget=: machine instructions for a kernel; 0: the compiler's own (budget.h)

  std::vector<std::string> disabledPasses;  ///< -cl-clarity-disable=PASS,...: optional steps that are left out

  bool createLibrary = false;
  bool enableLinkOptions = false;

  std::string remarks;  ///< for the log: options of other vendors that had no effect, a line each

  bool isCxx() const { return language == Language::Cxx10 || language == Language::Cxx2021; }
  /// OpenCL C 1.x programs, and those that ask for it, run in work-groups of one size (section 5.8.6.7).
  bool uniformWorkGroups() const { return uniformWorkGroupSize || static_cast<int>(language) < 200; }
};

/// The options in `text`, or a sentence that names the one that cannot be accepted.
std::expected<Options, std::string> parseOptions(std::string_view text, OptionsFor);

/// The name of a language as -cl-std takes it: "CL1.2".
std::string_view nameOf(Language);

}  // namespace clarity::compiler

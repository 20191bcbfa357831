// SPDX-License-Identifier: Apache-2.0
// This file parses the options of clBuildProgram, clCompileProgram and clLinkProgram into a struct (OpenCL 3.0,
// section 5.8.6).
#pragma once

#include "compiler/frontend/language.h"

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// The call that the options were passed to: each has options that are invalid for the others.
enum class OptionsFor {
  Compile,
  Link,
  Build,
  Any,  ///< no call: the options that are stored in a compiled program
};

/// Parsed build options. Everything that an option implies is set as well: -cl-fast-relaxed-math sets four more.
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
  /// -cl-clarity-source-name=: the name of the source in diagnostics, __FILE__ and line tables.
  std::string sourceName = "program.cl";
  /// -cl-clarity-source-folder=: what that name is relative to, for debuggers.
  std::string sourceFolder = ".";

  bool noWarnings = false;            ///< -w
  bool warningsAreErrors = false;     ///< -Werror
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
  bool kernelArgInfo = false;                  ///< -cl-kernel-arg-info: arguments are described without it, too
  bool describeArguments = false;              ///< -cl-clarity-describe-arguments: clGetKernelArgInfo answers for IL
  bool debug = false;                          ///< -g: all locations; enqueue_kernel says what is wrong
  bool debugInfo = false;                      ///< -cl-clarity-debug-info: all locations, and code with DWARF
  bool debugged = false;                       ///< -cl-clarity-debug: the same, code that is not optimised, portable IR

  bool report = false;      ///< -cl-clarity-report: the build log contains the report on every kernel
  bool reportJson = false;  ///< -cl-clarity-report-json: the same as JSON, an object on each line
  std::array<std::uint32_t, 3>
      reportLocal{};         ///< -cl-clarity-report=XxYxZ: for work-groups of this size; 0 0 0: of any
  std::string reportKernel;  ///< -cl-clarity-report-kernel=NAME: on this kernel alone; empty: on all
  bool instrument = false;   ///< -cl-clarity-instrument: the compiled program keeps portable IR, for instrumented code
  bool checkOverflow = false;      ///< -cl-clarity-check-overflow: instrumented code looks at signed arithmetic
  bool checkNotFinite = false;     ///< -cl-clarity-check-not-finite: and at where NaN and infinity come from
  bool initializePrivate = false;  ///< -cl-clarity-initialize-private: variables are zero where their lives begin
  bool initializeLocal = false;    ///< -cl-clarity-initialize-local: local memory is zero when a work-group begins
  bool names = false;  ///< set by the compiler for the report and for instrumentation: IR with source text and names of
                       ///< variables, beside the lines that all IR has
  unsigned packetLanes = 0;  ///< -cl-clarity-packet-width=: 0 chosen by the compiler; 1 one work-item at a time
  unsigned packetRows = 0;   ///< -cl-clarity-tile=ROWSxPACKETS: 0 chosen by the compiler
  unsigned packetColumns = 0;
  unsigned compileBudget =
      0;  ///< -cl-clarity-compile-budget=: machine instructions for a kernel; 0: the compiler's own (budget.h)

  std::vector<std::string> disabledPasses;  ///< -cl-clarity-disable=PASS,...: optional steps that are left out

  bool createLibrary = false;
  bool enableLinkOptions = false;

  std::string remarks;  ///< for the log: one line for each option of another vendor that had no effect

  bool isCxx() const { return language == Language::Cxx10 || language == Language::Cxx2021; }
  /// OpenCL C 1.x programs, and those built with this option, have work-groups of one size (section 5.8.6.7).
  bool uniformWorkGroups() const { return uniformWorkGroupSize || static_cast<int>(language) < 200; }
};

/// The options in `text`, or an error that names the invalid one.
std::expected<Options, std::string> parseOptions(std::string_view text, OptionsFor);

}  // namespace clarity::compiler

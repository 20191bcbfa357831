// SPDX-License-Identifier: Apache-2.0
// This file declares the functions of the compiler that `clarity compile` and `clarity opt` call, in process, and what
// the driver says that OpenCL has no query for.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::tools {

struct CompileOutput {
  bool ok = false;
  std::string log;     ///< the compiler's diagnostics and remarks
  std::string output;  ///< text or bytes
};

/// The build options as one string, as an application passes them: words that contain spaces are quoted.
std::string joinOptions(const std::vector<std::string>& words);

/// The shape and the device that native code is made for.
struct CodeRequest {
  std::string kernel;              ///< the first one if it is empty
  std::array<size_t, 3> local{};   ///< work-group size; zeros: any
  std::array<size_t, 3> global{};  ///< global size; zeros: of a usual launch
  std::string processor;           ///< LLVM's name; `native` or empty: this one
};

/// The build option by which the headers in a source file's folder are found, as compilers of C find them, with a blank
/// behind it; empty for modules and where the folder is the current one.
std::string headersBeside(const std::string& fileName);

/// Compiles OpenCL C, portable IR or SPIR-V. `what` is portable-ir, spirv, kernel-ir, native-ir, asm, binary or
/// accesses; native-ir and asm are made of one kernel for one launch.
CompileOutput emit(std::string_view source, const std::string& fileName, const std::string& buildOptions,
                   std::string_view what, const CodeRequest& request);

/// Runs passes, separated by commas, over LLVM IR in text or bitcode.
CompileOutput runPasses(std::string_view ir, const std::string& passes, const std::string& processor);

/// One of the compiler's pipelines over LLVM IR (compiler/driver/opt.h).
struct PipelineOptions {
  bool native = false;
  std::string kernel;
  std::array<size_t, 3> local{};
  std::string buildOptions;
};
CompileOutput runPipeline(std::string_view ir, const PipelineOptions& options, const std::string& processor);

/// Name and one line of description of every pass.
std::vector<std::pair<std::string, std::string>> passNames();

/// Names of the steps of the pipelines, and the pipelines as text or in Markdown.
std::vector<std::string> pipelineSteps();
std::string pipelineList(bool markdown);

/// Makes this process a node of the cluster that it was started in, until the program has ended. A sentence if it did
/// not end in order, or if there is no cluster. `stuck` is called instead if a kernel of its does not end; it ends the
/// process.
std::string serveCluster(void (*stuck)());

/// Why the driver can use no NVIDIA GPU: a sentence without its full stop, empty if it can.
std::string objectionToGpus();

/// Traces passes on standard error (compiler/pipeline/trace_request.h: PassTrace). To be called before the first
/// compile.
struct TraceRequest {
  std::vector<std::string> printAfter;
  bool printAfterAll = false, printChanged = false, verifyEach = false, timePasses = false;
};
void tracePasses(const TraceRequest& request);

}  // namespace clarity::tools

// SPDX-License-Identifier: Apache-2.0
// This file loads the driver, which contains the compiler, and forwards the calls of `clarity compile` and
// `clarity opt` to it.
#include "compiler_bridge.h"

#include "command.h"
#include "compiler_module/compiler_module.h"
#include "driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <filesystem>

namespace clarity::tools {
namespace {

const CompilerModule& compilerModule() {
  static const CompilerModule* const module = [] {
    const std::filesystem::path file = findLibrary("libclarity.so", "the driver, which contains the compiler,");
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      throw Failure(fmt::format("the driver, which contains the compiler, cannot be loaded: {}", ::dlerror()));
    const auto entry = reinterpret_cast<decltype(clarityCompilerModule)*>(::dlsym(handle, "clarityCompilerModule"));
    if (!entry) throw Failure(fmt::format("'{}' has no compiler for this command: {}", file.string(), ::dlerror()));
    const CompilerModule* loaded = entry(CLARITY_VERSION);
    if (!loaded)
      throw Failure(
          fmt::format("'{}' is not of the version of this command, which is {}", file.string(), CLARITY_VERSION));
    return loaded;
  }();
  return *module;
}

}  // namespace

std::string joinOptions(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty()) joined += ' ';
    if (word.find_first_of(" \t\"'\\") == std::string::npos) {
      joined += word;
      continue;
    }
    joined += '"';
    for (char c : word) {
      if (c == '"' || c == '\\') joined += '\\';
      joined += c;
    }
    joined += '"';
  }
  return joined;
}

std::string headersBeside(const std::string& fileName) {
  const std::filesystem::path path(fileName), folder = path.parent_path();
  const bool isModule = path.extension() == ".ll" || path.extension() == ".bc" || path.extension() == ".spv";
  return folder.empty() || isModule ? std::string() : joinOptions({"-I", folder.string()}) + " ";
}

CompileOutput emit(std::string_view source, const std::string& fileName, const std::string& buildOptions,
                   std::string_view what, const CodeRequest& request) {
  return compilerModule().emit(source, fileName, headersBeside(fileName) + buildOptions, what, request);
}

CompileOutput runPasses(std::string_view ir, const std::string& passes, const std::string& processor) {
  return compilerModule().runPasses(ir, passes, processor);
}

CompileOutput runPipeline(std::string_view ir, const PipelineOptions& options, const std::string& processor) {
  return compilerModule().runPipeline(ir, options, processor);
}

std::vector<std::pair<std::string, std::string>> passNames() { return compilerModule().passNames(); }

std::vector<std::string> pipelineSteps() { return compilerModule().pipelineSteps(); }

std::string pipelineList(bool markdown) { return compilerModule().pipelineList(markdown); }

std::string serveCluster(void (*stuck)()) { return compilerModule().serveCluster(stuck); }

std::string objectionToGpus() { return compilerModule().objectionToGpus(); }

void tracePasses(const TraceRequest& request) { compilerModule().tracePasses(request); }

}  // namespace clarity::tools

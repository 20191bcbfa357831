// SPDX-License-Identifier: Apache-2.0
// This file adds what contexts and the environment want to the options of builds.
#include "core/build_options.h"

#include "core/config.h"
#include "core/error.h"
#include "core/observation.h"

#include <CL/cl_ext.h>

#include <cctype>

namespace clarity::core {
namespace {

// cl_khr_initialize_memory, whose values older headers do not have.
constexpr cl_context_properties localMemory = 1 << 0, privateMemory = 1 << 1;

}  // namespace

bool hasOption(std::string_view options, std::string_view name) {
  for (std::size_t at = options.find(name); at != std::string_view::npos; at = options.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || std::isspace(static_cast<unsigned char>(options[at - 1]))) &&
        (end == options.size() || std::isspace(static_cast<unsigned char>(options[end]))))
      return true;
  }
  return false;
}

std::string compilerOptions(const Context& context, std::string options) {
  options = observableOptions(std::move(options));
  // In front: a last option of the application's that lacks its argument would take one from behind it.
  const auto add = [&](const char* option) { options = option + (options.empty() ? "" : " " + options); };
  const cl_context_properties memory = context.property(CL_CONTEXT_MEMORY_INITIALIZE_KHR);
  if (config().debugInfo || !config().profile.empty()) add("-cl-clarity-debug-info");
  if (config().debug) add("-cl-clarity-debug");
  if (memory & localMemory) add(compiler::initializeLocalOption);
  if (memory & privateMemory) add(compiler::initializePrivateOption);
  return options;
}

void requireInitialization(const Context& context, const compiler::CompiledProgram& binary) {
  const cl_context_properties memory = context.property(CL_CONTEXT_MEMORY_INITIALIZE_KHR);
  const bool lacks = ((memory & localMemory) && !hasOption(binary.options, compiler::initializeLocalOption)) ||
                     ((memory & privateMemory) && !hasOption(binary.options, compiler::initializePrivateOption));
  failIf(lacks, CL_INVALID_BINARY,
         "the binary was built for a context without CL_CONTEXT_MEMORY_INITIALIZE_KHR, which this one has: its code "
         "does not initialise memory");
}

}  // namespace clarity::core

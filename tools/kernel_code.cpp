// SPDX-License-Identifier: Apache-2.0
// This file has the compiler report on a kernel.
#include "kernel_code.h"

#include "compiler_bridge.h"
#include "kernel_source.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

unsigned numberIn(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found == json.end() || !found->is_number() ? 0 : found->get<unsigned>();
}

void addRemark(KernelCode& code, std::string_view line) {
  if (!line.starts_with("{\"kernel\":")) return;
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_discarded() || json.value("kernel", "") != code.kernel) return;
  code.remarks.push_back({.region = numberIn(json, "region"),
                          .line = numberIn(json, "line"),
                          .column = numberIn(json, "column"),
                          .kind = json.value("kind", ""),
                          .message = json.value("message", ""),
                          .help = json.value("help", ""),
                          .isMissed = json.value("type", "") == "missed"});
}

void addInstruction(LineInstructions& its, std::string_view name) {
  ++its.all;
  const bool isDouble = name.ends_with("pd") || name.ends_with("sd");
  for (const char* const operation : {"add", "sub", "mul", "div", "sqrt"}) {
    if (isDouble && (name.starts_with(operation) || (name.starts_with("v") && name.substr(1).starts_with(operation)) ||
                     (name.starts_with("vf") && name.find(operation) != name.npos))) {
      ++its.doubles;
      break;
    }
  }
  if (name.starts_with("idiv") || name.starts_with("div")) its.divisions += !isDouble && name.size() <= 5;
}

void addAssembly(KernelCode& code, std::string_view assembly) {
  std::string file;
  unsigned at = 0;
  for (const std::string_view line : linesOf(assembly)) {
    if (line.starts_with("#@ ")) {
      at = lineIn(line.substr(3), file);
    } else if (at != 0 && line.starts_with('\t') && line.size() > 1 && line[1] != '.' && line[1] != '#') {
      const std::string_view rest = line.substr(1);
      LineInstructions& its = code.lines[at];
      addInstruction(its, rest.substr(0, rest.find_first_of("\t ")));
      if (rest.find("_f64") != rest.npos && rest.starts_with("call")) ++its.doubles;
    }
  }
}

}  // namespace

KernelCode kernelCodeOf(std::string_view source, const std::string& options, const std::string& kernel,
                        const std::array<std::size_t, 3>& local) {
  KernelCode code{
      .kernel = kernel, .source = std::string(source), .options = options, .remarks = {}, .lines = {}, .loops = {}};
  const std::string given = fmt::format(
      "{} -cl-clarity-report={}x{}x{} -cl-clarity-report-kernel={} -cl-clarity-report-json -cl-clarity-debug-info",
      options, local[0], local[1], local[2], kernel);
  // The driver is loaded for its compiler: it must not record this process.
  ::unsetenv("CLARITY_PROFILE");
  const CompileOutput output =
      emit(source, "program.cl", given, "asm", {.kernel = kernel, .local = local, .global = {}, .processor = {}});
  if (!output.ok) return code;
  for (const std::string_view line : linesOf(output.log)) addRemark(code, line);
  addAssembly(code, output.output);
  code.loops = loopsOf(output.output);
  return code;
}

}  // namespace clarity::tools

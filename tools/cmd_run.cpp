// SPDX-License-Identifier: Apache-2.0
// This file is `clarity run`: it replaces itself by the given program, in an environment in which OpenCL loaders find
// Clarity's driver only.
#include "command.h"
#include "driver.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

// The exit codes of shells and env(1) if a program cannot be started.
constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;

int run(const std::string& icd, const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("the program to run is missing");
  useDriver(icd);
  ::setenv("CLARITY_MESSAGES", "always", 0);  // who starts a program this way wants to know what goes wrong
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  fmt::print(stderr, "clarity run: cannot run '{}': {}\n", words[0], std::strerror(error));
  return error == ENOENT ? kNotFound : kNotExecutable;
}

}  // namespace

void addRunCommand(CLI::App& app, Invocation& invocation) {
  auto icd = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("run", "Run an OpenCL program on this driver only");
  sub->add_option("--icd", *icd,
                  "Driver to use instead of Clarity's: a library, an .icd file or a folder of .icd files")
      ->envname("CLARITY_ICD")
      ->type_name("PATH");
  sub->footer(
      "Everything after PROGRAM is passed to it. The exit code is that of the program;\n"
      "127 if it was not found, 126 if it could not be started.\n\n"
      "Example:\n  clarity run clinfo -l");
  sub->callback([icd, &invocation] { invocation.status = run(*icd, invocation.rest); });
}

}  // namespace clarity::tools

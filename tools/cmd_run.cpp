// SPDX-License-Identifier: Apache-2.0
// This file is `clarity run`: it replaces itself by the given program, in an environment in which OpenCL loaders find
// Clarity's driver only.
#include "child.h"
#include "cluster_ranks.h"
#include "command.h"
#include "driver.h"
#include "screen.h"

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

struct RunOptions {
  std::string icd, devices;
  bool cluster = false;
};

int run(const RunOptions& options, const std::vector<std::string>& words) {
  if (words.empty()) throw UsageError("the program to run is missing");
  if (!options.devices.empty()) {
    if (!options.icd.empty()) throw UsageError("--devices is for Clarity's driver, and --icd names another");
    ::setenv("CLARITY_DEVICES", options.devices == "gpu" ? "nvidia" : options.devices.c_str(), 1);
  }
  if (options.cluster) {
    if (!options.icd.empty()) throw UsageError("--cluster is for Clarity's driver, and --icd names another");
    if (isNodeOfCluster()) return serveNode();
    addClusterToDevices();
  }
  useDriver(options.icd);
  ::setenv("CLARITY_MESSAGES", "always", 0);  // who starts a program this way wants to know what goes wrong
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  printError(fmt::format("clarity run: cannot run '{}': {}\n", words[0], std::strerror(error)));
  return error == ENOENT ? notFoundCode : cannotStartCode;
}

}  // namespace

void addRunCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* sub = app.add_subcommand("run", "Run an OpenCL program on this driver only");
  sub->add_option("--devices", options->devices,
                  "The devices that the program sees, in their order: cpu, gpu or nvidia, cpu,nvidia or nvidia,cpu "
                  "(CLARITY_DEVICES). Many programs use the first one. A missing device is left out, and a sentence "
                  "says why")
      ->type_name("LIST");
  sub->add_flag("--cluster", options->cluster,
                "Under mpirun or srun: rank 0 runs the program, which sees the devices of rank 0, then those of the "
                "other ranks. --devices applies to each rank");
  addIcdOption(*sub, options->icd);
  sub->footer(
      "Everything after PROGRAM is passed to it. The exit code is that of the program;\n"
      "127 if it was not found, 126 if it could not be started.\n\n"
      "Examples:\n"
      "  clarity run clinfo -l\n"
      "  clarity run --devices nvidia ./simulation\n"
      "  mpirun -n 8 clarity run --cluster ./simulation");
  sub->callback([options, &invocation] { invocation.status = run(*options, invocation.rest); });
}

}  // namespace clarity::tools

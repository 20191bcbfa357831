// SPDX-License-Identifier: Apache-2.0
// This file is `clarity info`: the platform and its devices, for people and as JSON.
#include "built_in/catalogue.h"
#include "cl_api.h"
#include "cluster_ranks.h"
#include "command.h"
#include "device_choice.h"
#include "device_info.h"
#include "driver.h"
#include "option_text.h"
#include "screen.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> builtInForms = {"text", "markdown"};

struct InfoOptions {
  std::string icd;
  bool json = false;
  bool verbose = false;
  bool settings = false;
  bool cluster = false;
  std::optional<std::string> builtIn;  ///< "": every built-in kernel; "markdown"
};

// "  label                     text", the text broken at spaces so that it stays within its column.
std::string field(const std::string& label, const std::string& text, size_t screen) {
  constexpr size_t column = 30;
  // The gap of two spaces is where continued lines begin, also behind a label as wide as its column.
  return wrapped(fmt::format("  {:<{}}  {}", label, column - 4, text), screen) + "\n";
}

/// `heading`: of the first group.
void printDevice(const cl::Device& device, const std::string& heading, bool verbose) {
  const size_t screen = screenWidth();
  std::optional<InfoGroup> group;
  for (const InfoRow& row : deviceInfoRows()) {
    if (!verbose && !row.brief) continue;
    const Json value = query(device, row);
    const bool isOfGpus = row.kind == InfoKind::ComputeCapability || row.kind == InfoKind::PciBus;
    if (value.is_null() && (!verbose || isOfGpus)) continue;
    if (group != row.group) {
      group = row.group;
      fmt::print("\n{}\n", row.group == InfoGroup::Device ? heading : nameOf(row.group));
    }
    fmt::print("{}", field(row.label, readable(row, value), screen));
  }
}

cl_device_id defaultOf(const cl::Platform& platform) {
  cl_device_id device = nullptr;
  return clGetDeviceIDs(platform(), CL_DEVICE_TYPE_DEFAULT, 1, &device, nullptr) == CL_SUCCESS ? device : nullptr;
}

Json jsonOf(const cl::Platform& platform) {
  Json result = {{"platform",
                  {{"name", platform.getInfo<CL_PLATFORM_NAME>()},
                   {"vendor", platform.getInfo<CL_PLATFORM_VENDOR>()},
                   {"version", platform.getInfo<CL_PLATFORM_VERSION>()},
                   {"profile", platform.getInfo<CL_PLATFORM_PROFILE>()}}},
                 {"devices", Json::array()}};
  for (const cl::Device& device : devicesOf(platform)) {
    Json entry;
    for (const InfoRow& row : deviceInfoRows()) entry[row.key] = query(device, row);
    result["devices"].push_back(std::move(entry));
  }
  return result;
}

/// The environment variables of the driver, from the list in core/config.def.
int printSettings() {
  fmt::print("Environment variables of the driver\n");
#define CONFIG_OPTION(type, member, name, initial, documentation) \
  fmt::print("{}", field(name, documentation, screenWidth()));
#include "core/config.def"
#undef CONFIG_OPTION
  return successCode;
}

/// The types of an entry: "f32 f64", or "f32 f64, to each of f16 f32".
std::string typesOf(const built_in::Entry& entry) {
  if (!entry.types) return "none";
  if (!entry.secondTypes) return entry.types;
  const std::string_view first = entry.types, second = entry.secondTypes;
  return first == second ? fmt::format("{}, and the same again", first) : fmt::format("{}, and {}", first, second);
}

/// docs/built-in-kernels.md, its lists.
void printBuiltInMarkdown() {
  for (const built_in::Family& family : built_in::families()) {
    fmt::print("\n## {}\n\n{}\n\n| kernel | arguments | result | types |\n|---|---|---|---|\n", family.title,
               wrapped(family.text, 120));
    for (const built_in::Entry& entry : family.entries)
      fmt::print("| `{}` | `{}` | {} | {} |\n", entry.name, entry.signature, entry.summary, typesOf(entry));
  }
}

/// Every built-in kernel with its arguments.
int printBuiltIn(const std::string& form) {
  if (form == "markdown") {
    printBuiltInMarkdown();
    return successCode;
  }
  const built_in::Family* last = nullptr;
  for (const built_in::Kernel& kernel : built_in::kernels()) {
    if (std::exchange(last, kernel.family) != kernel.family) fmt::print("\n{}\n", kernel.family->title);
    fmt::print("{}\n{}\n", wrapped("  " + kernel.signature(), screenWidth()),
               wrapped(fmt::format("      {}", kernel.entry->summary), screenWidth()));
  }
  return successCode;
}

int info(const InfoOptions& options) {
  if (options.builtIn) return printBuiltIn(*options.builtIn);
  if (options.settings) return printSettings();
  if (options.cluster) {
    if (isNodeOfCluster()) return serveNode();
    addClusterToDevices();
  }
  useDriver(options.icd);
  if (options.cluster) return printCluster();
  const std::vector<cl::Device> all = allDevices();  // throws an error if there is no device
  const std::vector<cl::Platform> platforms = allPlatforms();
  if (options.json) {
    Json list = Json::array();
    for (const cl::Platform& platform : platforms) list.push_back(jsonOf(platform));
    fmt::print("{}\n", Json{{"platforms", std::move(list)}}.dump(2));
    return successCode;
  }
  const char* gap = "";
  size_t number = 0;
  for (const cl::Platform& platform : platforms) {
    fmt::print("{}Platform\n", std::exchange(gap, "\n"));
    fmt::print("{}", field("name", platform.getInfo<CL_PLATFORM_NAME>(), screenWidth()));
    fmt::print("{}", field("vendor", platform.getInfo<CL_PLATFORM_VENDOR>(), screenWidth()));
    fmt::print("{}", field("version", platform.getInfo<CL_PLATFORM_VERSION>(), screenWidth()));
    if (options.icd.empty()) {
      fmt::print("{}", field("driver", findDriver().string(), screenWidth()));
      if (!hasNvidiaGpu(namesOf(all)))
        fmt::print("{}", field("NVIDIA GPUs", fmt::format("none: {}", whyNoNvidiaGpus()), screenWidth()));
    }
    for (const cl::Device& device : devicesOf(platform)) {
      // Programs that ask for no kind of device get the platform's default.
      const bool isDefault = all.size() > 1 && device() == defaultOf(platform);
      printDevice(device, fmt::format("Device {}{}", number++, isDefault ? " (the default)" : ""), options.verbose);
    }
  }
  if (!options.verbose) fmt::print("\nMore with --verbose; everything with --json.\n");
  return successCode;
}

}  // namespace

void addInfoCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* sub = app.add_subcommand("info", "Show the devices");
  sub->add_flag("--json", options->json, "Print every field, as JSON");
  sub->add_flag("-v,--verbose", options->verbose, "Show every field");
  sub->add_flag("--cluster", options->cluster,
                "Under mpirun or srun: the devices of all ranks, with the times of commands and transfers");
  sub->add_flag("--options", options->settings, "Show the environment variables of the driver");
  sub->add_option_function<std::string>(
         "--built-in", [options](const std::string& form) { options->builtIn = form == "text" ? "" : form; },
         "Show the built-in kernels, each with its arguments; 'markdown': as in docs/built-in-kernels.md")
      ->check(oneOf(builtInForms))
      ->type_name("FORM")
      ->expected(0, 1)
      ->default_str("text");
  addIcdOption(*sub, options->icd);
  sub->callback([options, &invocation] { invocation.status = info(*options); });
}

}  // namespace clarity::tools

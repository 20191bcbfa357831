// SPDX-License-Identifier: Apache-2.0
// This file finds the device that --device names, and says which there are.
#include "device_choice.h"

#include "command.h"
#include "compiler_bridge.h"
#include "screen.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

struct TypeName {
  const char* word;
  const char* text;
  cl_ulong type;
};
constexpr TypeName typeNames[] = {{"cpu", "CPU", CL_DEVICE_TYPE_CPU},
                                  {"gpu", "GPU", CL_DEVICE_TYPE_GPU},
                                  {"accelerator", "accelerator", CL_DEVICE_TYPE_ACCELERATOR}};

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

const char* typeText(const DeviceName& device) {
  for (const TypeName& each : typeNames)
    if (device.type & each.type) return each.text;
  return "custom";
}

bool fits(const DeviceName& device, const std::string& word) {
  for (const TypeName& each : typeNames)
    if (word == each.word) return device.type & each.type;
  return lowered(device.name).contains(word) || lowered(device.vendor).contains(word);
}

std::optional<size_t> find(const std::string& which, std::span<const DeviceName> devices) {
  if (isNumber(which)) {
    const size_t number = which.size() < 6 ? std::stoul(which) : devices.size();
    return number < devices.size() ? std::optional(number) : std::nullopt;
  }
  const std::string word = lowered(which);
  const auto found = std::ranges::find_if(devices, [&](const DeviceName& device) { return fits(device, word); });
  return found == devices.end() ? std::nullopt : std::optional<size_t>(found - devices.begin());
}

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text ? text : "";
}

}  // namespace

bool hasNvidiaGpu(std::span<const DeviceName> devices) {
  return std::ranges::any_of(devices, [](const DeviceName& device) {
    return device.type & CL_DEVICE_TYPE_GPU && lowered(device.vendor).contains("nvidia");
  });
}

std::vector<DeviceName> namesOf(std::span<const cl::Device> devices) {
  std::vector<DeviceName> names;
  for (const cl::Device& device : devices)
    names.push_back(
        {device.getInfo<CL_DEVICE_NAME>(), device.getInfo<CL_DEVICE_VENDOR>(), device.getInfo<CL_DEVICE_TYPE>()});
  return names;
}

size_t chooseDevice(const std::string& which, std::span<const DeviceName> devices, bool ownDriver) {
  if (which.empty()) return 0;
  if (const auto found = find(which, devices)) return *found;
  std::string text = fmt::format("no device fits --device {}; there {}", which, devices.size() == 1 ? "is" : "are");
  for (size_t i = 0; i < devices.size(); ++i)
    text += fmt::format("\n  {}  {} ({})", i, devices[i].name, typeText(devices[i]));
  if (ownDriver && !hasNvidiaGpu(devices))
    text += "\n" + wrapped(fmt::format("There are no NVIDIA GPUs: {}.", whyNoNvidiaGpus()), screenWidth());
  throw Failure(text);
}

cl::Device chosenDevice(const std::string& which, bool ownDriver) {
  const std::vector<cl::Device> devices = allDevices();
  return devices[chooseDevice(which, namesOf(devices), ownDriver)];
}

std::string whyNoNvidiaGpus() {
  for (const char* name : {"CLARITY_CHECK", "CLARITY_OBSERVE"})
    if (const std::string value = variable(name); !value.empty())
      return fmt::format("with {}={} kernels run on the CPU device", name, value);
  const std::string devices = variable("CLARITY_DEVICES");
  if (!devices.empty() && devices != "auto" && !devices.contains("nvidia"))
    return fmt::format("CLARITY_DEVICES={} leaves them out", devices);
  const std::string why = objectionToGpus();
  return why.empty() ? "the driver shows none" : why;
}

}  // namespace clarity::tools

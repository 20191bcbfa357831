// SPDX-License-Identifier: Apache-2.0
// This file names the error codes of OpenCL 3.0 and of common extensions, and lists platforms and devices.
#include "cl_api.h"

#include "command.h"
#include "device_choice.h"
#include "files.h"
#include "support/command_buffer_types.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

namespace clarity::tools {
namespace {

struct Name {
  cl_int code;
  const char* name;
};

constexpr Name names[] = {
#define CLARITY_ERROR(code) {code, #code},
#include "support/errors.def"
#undef CLARITY_ERROR
};

// The libraries that OCL_ICD_VENDORS (see driver.h) names: itself, or those of the .icd files in the folder.
std::vector<std::string> namedDrivers(const std::filesystem::path& vendors) {
  std::error_code error;
  if (!std::filesystem::is_directory(vendors, error)) return {vendors.string()};
  std::vector<std::string> libraries;
  for (const auto& entry : std::filesystem::directory_iterator(vendors, error)) {
    if (entry.path().extension() != ".icd") continue;
    const std::string text = readText(entry.path());
    libraries.push_back(text.substr(0, text.find_first_of("\r\n")));
  }
  return libraries;
}

// The library that this program's OpenCL calls go to: of several on a machine, not always the expected one.
std::string loaderPath() {
  Dl_info loader = {};
  return ::dladdr(reinterpret_cast<void*>(&::clGetPlatformIDs), &loader) && loader.dli_fname ? loader.dli_fname : "";
}

// Why this driver has just offered no platform, if it is a Clarity.
std::string sentenceOf(void* library) {
  const auto find = reinterpret_cast<void* (*)(const char*)>(::dlsym(library, "clGetExtensionFunctionAddress"));
  const auto ask =
      find ? reinterpret_cast<cl_int (*)(size_t, char*, size_t*)>(find("clGetLastErrorTextCLARITY")) : nullptr;
  std::array<char, 4096> text = {};
  if (!ask || ask(text.size(), text.data(), nullptr) != CL_SUCCESS) return {};
  return text.data();
}

// Loaders are silent about drivers that they cannot load, most often because a library is missing that these need.
[[noreturn]] void failNoDriver() {
  const char* const vendors = std::getenv("OCL_ICD_VENDORS");
  std::string reasons;
  const std::vector<std::string> libraries = vendors ? namedDrivers(vendors) : std::vector<std::string>();
  for (const std::string& library : libraries) {
    void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded)
      reasons += fmt::format("\n  {}", ::dlerror());
    else if (const std::string sentence = sentenceOf(loaded); !sentence.empty())
      reasons += fmt::format("\n  {}", sentence);
    else
      reasons += fmt::format("\n  {}: it can be loaded, but offers no OpenCL platform through this loader", library);
  }
  if (libraries.empty()) reasons = fmt::format("\n  no .icd file in '{}' names a driver", vendors ? vendors : "");
  throw Failure(fmt::format("the OpenCL loader {} found no platform:{}", loaderPath(), reasons));
}

}  // namespace

std::string errorName(cl_int code) {
  for (const Name& entry : names)
    if (entry.code == code) return entry.name;
  return fmt::format("error {}", code);
}

std::vector<cl::Platform> allPlatforms() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() == -1001) failNoDriver();
    throw;
  }
  return platforms;
}

std::vector<cl::Device> devicesOf(const cl::Platform& platform) {
  std::vector<cl::Device> devices;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  } catch (const cl::Error& error) {
    if (error.err() != CL_DEVICE_NOT_FOUND) throw;
  }
  return devices;
}

std::vector<cl::Device> allDevices() {
  std::vector<cl::Device> devices;
  for (const cl::Platform& platform : allPlatforms())
    for (cl::Device& device : devicesOf(platform)) devices.push_back(std::move(device));
  if (devices.empty()) failNoDriver();
  return devices;
}

}  // namespace clarity::tools

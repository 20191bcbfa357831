// SPDX-License-Identifier: Apache-2.0
// This file creates the lists of names with versions.
#include "api/versions.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace clarity::api {
namespace {

struct LaterVersion {
  std::string_view name;
  cl_version version;
};

/// Extensions of Clarity that are not at 1.0.0 in the registry.
constexpr LaterVersion laterVersions[] = {
    {"cl_khr_icd", CL_MAKE_VERSION(2, 0, 1)},
    {"cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0)},
    {"cl_intel_subgroups_short", CL_MAKE_VERSION(1, 1, 0)},
    {"cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 2, 0)},
    {"cl_khr_external_semaphore", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_external_memory", CL_MAKE_VERSION(1, 0, 1)},
    {"cl_khr_unified_svm", CL_MAKE_VERSION(0, 9, 0)},
    {"cl_ext_image_requirements_info", CL_MAKE_VERSION(0, 5, 0)},
    {"cl_khr_command_buffer", CL_MAKE_VERSION(0, 9, 8)},
    {"cl_khr_command_buffer_mutable_dispatch", CL_MAKE_VERSION(0, 9, 5)},
    {"cl_khr_command_buffer_multi_device", CL_MAKE_VERSION(0, 9, 2)},
    {"cl_ext_buffer_device_address", CL_MAKE_VERSION(1, 0, 2)},
};

/// Calls `each` with every name of a list separated by spaces that begins with `prefix`.
template <class Each>
void forNames(std::string_view names, std::string_view prefix, Each each) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    if (name.starts_with(prefix)) each(name);
  }
}

}  // namespace

cl_name_version nameVersion(std::string_view name, cl_version version) {
  cl_name_version result{};
  result.version = version;
  const std::size_t length = std::min(name.size(), sizeof result.name - 1);
  std::memcpy(result.name, name.data(), length);
  return result;
}

std::vector<cl_name_version> extensionVersions(std::string_view names) {
  std::vector<cl_name_version> result;
  forNames(names, "cl_", [&](std::string_view name) {
    const auto* const later = std::ranges::find(laterVersions, name, &LaterVersion::name);
    const bool found = later != std::end(laterVersions);
    result.push_back(nameVersion(name, found ? later->version : CL_MAKE_VERSION(1, 0, 0)));
  });
  return result;
}

std::vector<cl_name_version> featureVersions(std::string_view names) {
  std::vector<cl_name_version> result;
  forNames(names, "__opencl_c_",
           [&](std::string_view name) { result.push_back(nameVersion(name, CL_MAKE_VERSION(3, 0, 0))); });
  return result;
}

std::vector<cl_name_version> namesWithVersions(std::string_view name, std::span<const cl_version> versions) {
  std::vector<cl_name_version> result;
  for (const cl_version version : versions) result.push_back(nameVersion(name, version));
  return result;
}

}  // namespace clarity::api

// SPDX-License-Identifier: Apache-2.0
// This file creates the lists of names with versions that OpenCL 3.0 has beside every list of names.
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::api {

/// One name with its version (cl_name_version).
cl_name_version nameVersion(std::string_view name, cl_version version);

/// The extensions of a list separated by spaces with the version of each.
std::vector<cl_name_version> extensionVersions(std::string_view names);
/// The OpenCL C features ("__opencl_c_...") of a list separated by spaces.
std::vector<cl_name_version> featureVersions(std::string_view names);
/// One name, "OpenCL C" for example, with each of these versions.
std::vector<cl_name_version> namesWithVersions(std::string_view name, std::span<const cl_version> versions);

}  // namespace clarity::api

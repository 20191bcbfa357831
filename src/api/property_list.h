// SPDX-License-Identifier: Apache-2.0
// This file reads lists of properties: names with a value each, or with a list of devices.
#pragma once

#include "api/handle.h"
#include "core/constant_names.h"
#include "core/context.h"
#include "core/device.h"
#include "core/error.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clarity::api {

/// All of a list of names and values with its terminating 0; empty for a null list. Each pair is given to
/// `take(name, value)`, which throws for what it does not accept. `error` for a name that is in the list twice; `what`
/// names the properties in the sentence about it ("context property").
template <typename Property, typename Take>
std::vector<Property> readPropertyList(const Property* list, cl_int error, std::string_view what, Take take) {
  std::vector<Property> read;
  if (!list) return read;
  for (; *list != 0; list += 2) {
    for (std::size_t i = 0; i < read.size(); i += 2)
      core::failIf(read[i] == list[0], error, "{} {} is given twice", what,
                   core::ConstantName{static_cast<std::uint64_t>(list[0])});
    take(list[0], list[1]);
    read.insert(read.end(), {list[0], list[1]});
  }
  read.push_back(0);
  return read;
}

/// The devices of a list that ends with 0 and is the value of a property. `list` is advanced behind the 0; what was
/// read is added to `read`. CL_INVALID_DEVICE for what is no device of the context.
inline std::vector<core::Ref<core::Device>> readDevices(const core::Context& context, const cl_ulong*& list,
                                                        std::vector<cl_ulong>& read) {
  std::vector<core::Ref<core::Device>> devices;
  for (; *list != 0; read.push_back(*list++)) {
    core::Device& device = ref<core::Device>(reinterpret_cast<cl_device_id>(*list));
    core::failIf(!context.has(device), CL_INVALID_DEVICE, "device '{}' is not one of the context's",
                 device.properties().name);
    devices.emplace_back(device);
  }
  read.push_back(*list++);
  return devices;
}

}  // namespace clarity::api

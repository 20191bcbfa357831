// SPDX-License-Identifier: Apache-2.0
// This file guards accesses to memory of the application.
#include "device/cluster/host_memory.h"

#include "support/fault_guard.h"

#include <cstring>
#include <string>

namespace clarity::device::cluster {
namespace {

template <class Access>
Result guardedAccess(std::string_view what, Access&& access) {
  support::Fault fault;
  if (support::FaultGuard::run(access, fault)) return {};
  return {faultCode, std::string(what) + " " + fault.describe()};
}

template <class Row>
Result eachRow(const RectShape& shape, Row&& row) {
  return guardedAccess("the rectangular copy", [&] {
    std::size_t packed = 0;
    for (std::uint64_t z = 0; z < shape.region[2]; ++z)
      for (std::uint64_t y = 0; y < shape.region[1]; ++y, packed += shape.region[0])
        row(packed, z * shape.otherSlice + y * shape.otherRow);
  });
}

}  // namespace

Result copyGuarded(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0 || to == from) return {};
  return guardedAccess("the copy", [&] { std::memmove(to, from, bytes); });
}

Result gather(std::byte* to, const std::byte* from, const RectShape& shape) {
  return eachRow(
      shape, [&](std::size_t packed, std::size_t apart) { std::memcpy(to + packed, from + apart, shape.region[0]); });
}

Result scatter(std::byte* to, const std::byte* from, const RectShape& shape) {
  return eachRow(
      shape, [&](std::size_t packed, std::size_t apart) { std::memcpy(to + apart, from + packed, shape.region[0]); });
}

}  // namespace clarity::device::cluster

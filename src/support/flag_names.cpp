// SPDX-License-Identifier: Apache-2.0
// This file holds the tables of flags.
#include "support/flag_names.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif

#include <CL/cl.h>
#include <fmt/format.h>

#include <span>
#include <string_view>

namespace clarity::support {
namespace {

struct NamedFlag {
  std::uint64_t bit;
  const char* name;
};

#define NAMED(flag) {flag, #flag}

constexpr NamedFlag memoryFlags[] = {NAMED(CL_MEM_READ_WRITE),         NAMED(CL_MEM_WRITE_ONLY),
                                     NAMED(CL_MEM_READ_ONLY),          NAMED(CL_MEM_USE_HOST_PTR),
                                     NAMED(CL_MEM_ALLOC_HOST_PTR),     NAMED(CL_MEM_COPY_HOST_PTR),
                                     {1 << 6, "CL_MEM_IMMUTABLE_EXT"},  // newer than some headers
                                     NAMED(CL_MEM_HOST_WRITE_ONLY),    NAMED(CL_MEM_HOST_READ_ONLY),
                                     NAMED(CL_MEM_HOST_NO_ACCESS),     NAMED(CL_MEM_SVM_FINE_GRAIN_BUFFER),
                                     NAMED(CL_MEM_SVM_ATOMICS),        NAMED(CL_MEM_KERNEL_READ_AND_WRITE)};

constexpr NamedFlag mapFlags[] = {NAMED(CL_MAP_READ), NAMED(CL_MAP_WRITE), NAMED(CL_MAP_WRITE_INVALIDATE_REGION)};

#undef NAMED

std::string namesOf(std::uint64_t flags, std::span<const NamedFlag> names) {
  std::string text;
  const auto add = [&text](std::string_view name) { text.append(text.empty() ? "" : " | ").append(name); };
  for (const NamedFlag& each : names)
    if (flags & each.bit) {
      add(each.name);
      flags &= ~each.bit;
    }
  if (flags != 0 || text.empty()) add(flags != 0 ? fmt::format("{:#x}", flags) : "0");
  return text;
}

}  // namespace

std::string memoryFlagNames(std::uint64_t flags) { return namesOf(flags, memoryFlags); }
std::string mapFlagNames(std::uint64_t flags) { return namesOf(flags, mapFlags); }

}  // namespace clarity::support

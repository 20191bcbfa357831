// SPDX-License-Identifier: Apache-2.0
// This file tells what the CPU device is made of: the processors and the memory that this process may use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device::cpu {

/// The machine as this process may use it (scheduler affinity and cgroup limits included).
struct Topology {
  std::string name;                           ///< the processor's own name, "AMD EPYC 9J14 96-Core Processor"
  std::string vendor;                         ///< "AMD", "Intel", or CPUID's twelve letters
  std::uint32_t vendorId = 0;                 ///< PCI's number of the vendor
  std::uint32_t processors = 1;               ///< logical ones
  std::vector<std::uint32_t> numaProcessors;  ///< the number of `processors` in each NUMA node that has any
  std::uint32_t clockMHz = 0;                 ///< highest
  std::uint64_t memoryBytes = 0;
  std::uint64_t l1Bytes = 0, l2Bytes = 0, l3Bytes = 0;  ///< data caches seen by one processor; 0 if there is none
  std::uint32_t cacheLineBytes = 64;
  std::uint32_t vectorBits = 128;
};

/// Looks at this machine. The files of the kernel are read below `root` (tests have their own).
Topology discoverTopology(std::string_view root = "/");

/// The limits that the control groups of this process set; 0: none. Versions 1 and 2 of the interface.
struct CgroupLimits {
  std::uint32_t processors = 0;  ///< the quota of CPU time, rounded up
  std::uint64_t memoryBytes = 0;
};
CgroupLimits readCgroupLimits(std::string_view root = "/");

}  // namespace clarity::device::cpu

// SPDX-License-Identifier: Apache-2.0
// This file tests what the CPU device finds out about the machine, with control groups written by hand.
#include "device/cpu/topology.h"

#include <gtest/gtest.h>

#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace clarity::test {
namespace {

using device::cpu::CgroupLimits;
using device::cpu::readCgroupLimits;

/// A folder that looks like the root of a file system.
struct FakeRoot : testing::Test {
  std::filesystem::path root;
  FakeRoot() {
    std::string name = (std::filesystem::temp_directory_path() / "clarity-topology-XXXXXX").string();
    root = mkdtemp(name.data());
  }
  ~FakeRoot() override { std::filesystem::remove_all(root); }
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  CgroupLimits limits() { return readCgroupLimits(root.string()); }
};

TEST_F(FakeRoot, noControlGroups) {
  EXPECT_EQ(limits().processors, 0u);
  EXPECT_EQ(limits().memoryBytes, 0u);
}

TEST_F(FakeRoot, version2) {
  write("proc/self/cgroup", "0::/user/app");
  write("sys/fs/cgroup/user/app/cpu.max", "250000 100000");
  write("sys/fs/cgroup/user/app/memory.max", "1073741824");
  EXPECT_EQ(limits().processors, 3u);  // two and a half
  EXPECT_EQ(limits().memoryBytes, 1u << 30);
}

TEST_F(FakeRoot, version2WithoutLimits) {
  write("proc/self/cgroup", "0::/");
  write("sys/fs/cgroup/cpu.max", "max 100000");
  write("sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(limits().processors, 0u);
  EXPECT_EQ(limits().memoryBytes, 0u);
}

TEST_F(FakeRoot, theTightestGroupAboveCounts) {
  write("proc/self/cgroup", "0::/a/b/c");
  write("sys/fs/cgroup/a/b/c/cpu.max", "400000 100000");
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000");
  write("sys/fs/cgroup/a/cpu.max", "100000 100000");
  EXPECT_EQ(limits().processors, 1u);
}

TEST_F(FakeRoot, version1) {
  write("proc/self/cgroup", "3:memory:/docker/x\n2:cpu,cpuacct:/docker/x");
  write("sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "150000");
  write("sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "536870912");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(limits().processors, 2u);
  EXPECT_EQ(limits().memoryBytes, 1u << 29);
}

TEST_F(FakeRoot, version1WithoutLimits) {
  write("proc/self/cgroup", "2:cpu:/\n3:memory:/");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(limits().processors, 0u);
}

TEST_F(FakeRoot, unreadableNumbersAreNoLimits) {
  write("proc/self/cgroup", "nonsense\n0::/");
  write("sys/fs/cgroup/cpu.max", "many few");
  write("sys/fs/cgroup/memory.max", "12 monkeys");
  EXPECT_EQ(limits().processors, 0u);
}

TEST_F(FakeRoot, cachesAndClockOfTheKernelsFiles) {
  // Whichever processor this process may use first has these caches.
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/";
    const char* const caches[][4] = {{"1", "Data", "48K", "64"},
                                     {"1", "Instruction", "32K", "64"},
                                     {"2", "Unified", "2M", "64"},
                                     {"3", "Unified", "36864K", "128"}};
    for (int i = 0; i < 4; ++i) {
      const std::string cache = folder + "index" + std::to_string(i) + "/";
      write(cache + "level", caches[i][0]);
      write(cache + "type", caches[i][1]);
      write(cache + "size", caches[i][2]);
      write(cache + "coherency_line_size", caches[i][3]);
    }
  }
  write("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "5400000");
  const device::cpu::Topology machine = device::cpu::discoverTopology(root.string());
  EXPECT_EQ(machine.l1Bytes, 48u << 10);
  EXPECT_EQ(machine.l2Bytes, 2u << 20);
  EXPECT_EQ(machine.l3Bytes, 36u << 20);
  EXPECT_EQ(machine.cacheLineBytes, 128u);
  EXPECT_EQ(machine.clockMHz, 5400u);
}

TEST_F(FakeRoot, numaNodesWithProcessorsOfThisProcess) {
  write("sys/devices/system/node/online", "0-1,3");
  write("sys/devices/system/node/node0/cpulist", "0-1023");
  write("sys/devices/system/node/node1/cpulist", "2000-2003,2010");
  const device::cpu::Topology machine = device::cpu::discoverTopology(root.string());
  ASSERT_EQ(machine.numaProcessors.size(), 1u);
  EXPECT_GE(machine.numaProcessors[0], machine.processors);
}

TEST_F(FakeRoot, withoutTheKernelsFilesTheProcessorIsAsked) {
  // On one processor, because others may have other caches.
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const device::cpu::Topology machine = device::cpu::discoverTopology(root.string());
  const device::cpu::Topology listed = device::cpu::discoverTopology();
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_FALSE(machine.name.empty());
  EXPECT_EQ(machine.processors, 1u);
#if defined(__x86_64__)
  EXPECT_GE(machine.l1Bytes, 8u << 10);
  EXPECT_GE(machine.l2Bytes, machine.l1Bytes);
  // The kernel has its files from the same source.
  if (listed.l1Bytes) EXPECT_EQ(machine.l1Bytes, listed.l1Bytes);
  if (listed.l2Bytes) EXPECT_EQ(machine.l2Bytes, listed.l2Bytes);
  EXPECT_EQ(machine.cacheLineBytes, listed.cacheLineBytes);
#endif
}

TEST(Topology, thisMachine) {
  const device::cpu::Topology machine = device::cpu::discoverTopology();
  EXPECT_FALSE(machine.name.empty());
  EXPECT_FALSE(machine.vendor.empty());
  EXPECT_GE(machine.processors, 1u);
  EXPECT_GE(machine.memoryBytes, 64u << 20);
  EXPECT_GE(machine.cacheLineBytes, 16u);
  EXPECT_FALSE(machine.numaProcessors.empty());
}

}  // namespace
}  // namespace clarity::test

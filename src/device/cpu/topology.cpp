// SPDX-License-Identifier: Apache-2.0
// This file finds out what the CPU device is made of: the kernel's files, CPUID for names and
// where those files show no caches, the scheduler and the control groups for what this process may use.
#include "device/cpu/topology.h"

#include <sched.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

namespace clarity::device::cpu {
namespace {

std::string joined(std::string_view root, std::string_view path) {
  std::string result(root);
  if (result.ends_with('/') && path.starts_with('/')) result.pop_back();
  return result.append(path);
}

std::optional<std::string> readWord(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) return std::nullopt;
  return word;
}

std::optional<std::uint64_t> toNumber(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> readNumber(const std::string& path) {
  const auto word = readWord(path);
  return word ? toNumber(*word) : std::nullopt;
}

std::uint32_t roundedUp(std::uint64_t quota, std::uint64_t period) {
  return period == 0 ? 0 : static_cast<std::uint32_t>((quota + period - 1) / period);
}

/// The smaller of two limits of which 0 means none.
template <class T>
T tighter(T a, T b) {
  return a == 0 ? b : b == 0 ? a : std::min(a, b);
}

/// The limits written in one folder of a control group.
CgroupLimits limitsIn(const std::string& cpuFolder, const std::string& memoryFolder) {
  CgroupLimits limits;
  // Version 2: "max 100000" or "150000 100000".
  if (std::ifstream file(cpuFolder + "/cpu.max"); file) {
    std::string quota;
    std::uint64_t period = 0;
    if (file >> quota >> period)
      if (const auto number = toNumber(quota)) limits.processors = roundedUp(*number, period);
  }
  // Version 1: -1 for no quota, which toNumber() refuses.
  const auto quota = readNumber(cpuFolder + "/cpu.cfs_quota_us");
  const auto period = readNumber(cpuFolder + "/cpu.cfs_period_us");
  if (quota && period) limits.processors = tighter(limits.processors, roundedUp(*quota, *period));
  // "max" is no number; version 1 says "no limit" with a number near 2^63.
  for (const char* name : {"/memory.max", "/memory.limit_in_bytes"})
    if (const auto bytes = readNumber(memoryFolder + name); bytes && *bytes < (std::uint64_t{1} << 60))
      limits.memoryBytes = tighter(limits.memoryBytes, *bytes);
  return limits;
}

CgroupLimits tighter(const CgroupLimits& a, const CgroupLimits& b) {
  return {tighter(a.processors, b.processors), tighter(a.memoryBytes, b.memoryBytes)};
}

/// A group's limit binds the groups inside of it: all folders from the process's group up to the mount count.
CgroupLimits limitsUpwards(const std::string& cpuMount, const std::string& memoryMount, std::string group) {
  CgroupLimits limits;
  for (;;) {
    limits = tighter(limits, limitsIn(cpuMount + group, memoryMount + group));
    if (group.empty()) return limits;
    group.erase(group.find_last_of('/'));
  }
}

/// "48K" or "2M": bytes.
std::uint64_t toBytes(std::string text) {
  std::uint64_t unit = 1;
  if (text.ends_with('K')) unit = 1u << 10;
  if (text.ends_with('M')) unit = 1u << 20;
  if (unit > 1) text.pop_back();
  return toNumber(text).value_or(0) * unit;
}

/// "0-3,8": the processors of a list.
std::vector<int> toProcessors(const std::string& list) {
  std::vector<int> processors;
  std::istringstream parts(list);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto dash = part.find('-');
    const auto first = toNumber(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : toNumber(part.substr(dash + 1));
    for (std::uint64_t i = first.value_or(1); first && last && i <= *last; ++i)
      processors.push_back(static_cast<int>(i));
  }
  return processors;
}

/// The data caches as the kernel lists them for one processor.
void readCaches(std::string_view root, int processor, Topology& out) {
  for (int index = 0; index < 16; ++index) {
    const std::string cache = joined(
        root, "/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index) + "/");
    const auto level = readNumber(cache + "level");
    if (!level) return;
    if (readWord(cache + "type") == "Instruction") continue;
    const std::uint64_t bytes = toBytes(readWord(cache + "size").value_or(""));
    if (*level == 1) out.l1Bytes = bytes;
    if (*level == 2) out.l2Bytes = bytes;
    if (*level == 3) out.l3Bytes = bytes;
    if (const auto line = readNumber(cache + "coherency_line_size"); line && *line > 0)
      out.cacheLineBytes = static_cast<std::uint32_t>(*line);
  }
}

/// Reads the number of processors that this process may use in each NUMA node.
void readNuma(std::string_view root, const std::vector<int>& allowed, Topology& out) {
  const auto online = readWord(joined(root, "/sys/devices/system/node/online"));
  if (!online) return;
  for (const int node : toProcessors(*online)) {
    const auto list = readWord(joined(root, "/sys/devices/system/node/node" + std::to_string(node) + "/cpulist"));
    if (!list) continue;
    const std::vector<int> inNode = toProcessors(*list);
    const auto count =
        std::ranges::count_if(inNode, [&](int each) { return std::ranges::find(allowed, each) != allowed.end(); });
    if (count > 0) out.numaProcessors.push_back(static_cast<std::uint32_t>(count));
  }
}

#if defined(__x86_64__)
std::string cpuidName() {
  std::uint32_t registers[12] = {};
  if (__get_cpuid_max(0x80000000, nullptr) < 0x80000004) return {};
  for (unsigned i = 0; i < 3; ++i)
    __get_cpuid(0x80000002 + i, &registers[4 * i], &registers[4 * i + 1], &registers[4 * i + 2], &registers[4 * i + 3]);
  char text[sizeof registers + 1] = {};
  std::memcpy(text, registers, sizeof registers);
  // Some processors pad with blanks in front, in between and behind.
  std::istringstream words{text};
  std::string name;
  for (std::string word; words >> word;) name += name.empty() ? word : " " + word;
  return name;
}

void readProcessor(Topology& out) {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(0, &eax, &ebx, &ecx, &edx)) {
    char letters[13] = {};
    std::memcpy(letters, &ebx, 4);
    std::memcpy(letters + 4, &edx, 4);
    std::memcpy(letters + 8, &ecx, 4);
    out.vendor = letters;
    if (out.vendor == "GenuineIntel") out.vendor = "Intel", out.vendorId = 0x8086;
    if (out.vendor == "AuthenticAMD") out.vendor = "AMD", out.vendorId = 0x1022;
  }
  out.name = cpuidName();
  __builtin_cpu_init();
  out.vectorBits = __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx") ? 256 : 128;
}

/// The data caches as the processor lists them, for kernels and sandboxes whose files show none.
void queryCaches(Topology& out) {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  // AMD's list has a leaf of its own (topology extensions), in the form of Intel's.
  const bool hasExtensions = __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && (ecx >> 22 & 1);
  for (std::uint32_t index = 0; index < 16; ++index) {
    if (!__get_cpuid_count(hasExtensions ? 0x8000001d : 4, index, &eax, &ebx, &ecx, &edx)) return;
    const std::uint32_t type = eax & 31, level = eax >> 5 & 7;
    if (type == 0) return;
    if (type == 2) continue;  // instructions
    const std::uint32_t line = (ebx & 0xfff) + 1;
    // Ways, partitions, bytes of a line, sets.
    const std::uint64_t bytes = std::uint64_t{(ebx >> 22) + 1} * ((ebx >> 12 & 0x3ff) + 1) * line * (ecx + 1ull);
    if (level == 1) out.l1Bytes = bytes;
    if (level == 2) out.l2Bytes = bytes;
    if (level == 3) out.l3Bytes = bytes;
    out.cacheLineBytes = line;
  }
}

std::uint32_t cpuidClockMHz() {
  std::uint32_t base = 0, highest = 0, bus = 0, unused = 0;
  if (!__get_cpuid(0x16, &base, &highest, &bus, &unused)) return 0;
  return (highest ? highest : base) & 0xffff;
}
#else
void readProcessor(Topology& out) { out.vendor = "unknown"; }
void queryCaches(Topology&) {}
std::uint32_t cpuidClockMHz() { return 0; }
#endif

/// The highest clock that anybody on this machine knows of; virtual machines often hide it.
std::uint32_t readClockMHz(std::string_view root) {
  if (const auto kHz = readNumber(joined(root, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")))
    return static_cast<std::uint32_t>(*kHz / 1000);
  if (const std::uint32_t clock = cpuidClockMHz()) return clock;
  std::ifstream file(joined(root, "/proc/cpuinfo"));
  double highest = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("cpu MHz")) continue;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    double clock = 0;
    std::istringstream(line.substr(colon + 1)) >> clock;
    highest = std::max(highest, clock);
  }
  return static_cast<std::uint32_t>(std::lround(highest));
}

std::vector<int> processorsOfAffinity() {
  std::vector<int> processors;
  // A machine may have more processors than a cpu_set_t has room for.
  for (int room = 1024; room <= 1 << 20 && processors.empty(); room *= 4) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(room));
    if (!set) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(room));
    CPU_ZERO_S(bytes, set);
    if (sched_getaffinity(0, bytes, set) == 0)
      for (int i = 0; i < room; ++i)
        if (CPU_ISSET_S(i, bytes, set)) processors.push_back(i);
    CPU_FREE(set);
  }
  if (processors.empty()) processors.resize(std::max(1u, std::thread::hardware_concurrency()));
  return processors;
}

std::uint64_t physicalMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes) : 0;
}

}  // namespace

CgroupLimits readCgroupLimits(std::string_view root) {
  CgroupLimits limits;
  std::ifstream file(joined(root, "/proc/self/cgroup"));
  // Lines "4:memory:/group", or "0::/group" for version 2.
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (group == "/" || !group.starts_with('/')) group.clear();
    const std::string mount = joined(root, "/sys/fs/cgroup");
    if (controllers.empty()) limits = tighter(limits, limitsUpwards(mount, mount, group));
    std::istringstream list(controllers);
    for (std::string controller; std::getline(list, controller, ',');) {
      const std::string own = mount + "/" + controller;
      if (controller == "cpu" || controller == "memory") limits = tighter(limits, limitsUpwards(own, own, group));
    }
  }
  return limits;
}

Topology discoverTopology(std::string_view root) {
  Topology out;
  readProcessor(out);
  const std::vector<int> allowed = processorsOfAffinity();
  readCaches(root, allowed.front(), out);
  readNuma(root, allowed, out);
  if (out.l1Bytes == 0) queryCaches(out);
  if (out.name.empty()) out.name = "CPU";
  const CgroupLimits limits = readCgroupLimits(root);
  out.processors = tighter(static_cast<std::uint32_t>(allowed.size()), limits.processors);
  out.memoryBytes = tighter(physicalMemory(), limits.memoryBytes);
  out.clockMHz = readClockMHz(root);
  if (out.numaProcessors.empty()) out.numaProcessors.push_back(out.processors);
  return out;
}

}  // namespace clarity::device::cpu

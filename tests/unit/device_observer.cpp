// SPDX-License-Identifier: Apache-2.0
// This file tests what observers get from launches on the CPU: with Check in the order of work-groups and work-items
// whatever the number of workers, with Profile everything once, and nothing from programs that keep no portable IR.
#include "compiler/driver/generate_native.h"
#include "device/access_table.h"
#include "device/cpu/executable.h"
#include "device/cpu/observation.h"
#include "device/host/workers.h"
#include "device/observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace clarity::device::cpu {
namespace {

using compiler::Instrumentation;

/// Ahead of the first code that any test of this program loads.
[[maybe_unused]] const bool provided = [] {
  provideObserverHooks();
  return true;
}();

/// Keeps the ids of the work-items that accessed memory, in order.
class Ids final : public Observer {
public:
  explicit Ids(Instrumentation kind) : kind_(kind) {}
  Instrumentation instrumentation() const override { return kind_; }
  std::unique_ptr<LaunchObserver> begin(const ObservedLaunch& launch) override {
    sites = static_cast<std::size_t>(
        std::ranges::count_if(launch.sites, [](const compiler::Site& site) { return compiler::writes(site.kind); }));
    return std::make_unique<OfLaunch>(*this);
  }
  void cannotObserve(const compiler::KernelInfo&, std::string_view why) override { reason = why; }

  std::vector<std::uint64_t> seen;
  std::size_t sites = 0;
  int completed = 0;
  std::string reason;

private:
  struct OfLaunch final : LaunchObserver {
    explicit OfLaunch(Ids& all) : all(all) {}
    void access(const ObservedAccess& access) override {
      const std::lock_guard lock(all.mutex_);
      all.seen.push_back(access.globalId[0]);
    }
    void end(bool isComplete) override { all.completed += isComplete; }
    Ids& all;
  };
  Instrumentation kind_;
  std::mutex mutex_;
};

constexpr std::size_t items = 20'000;

/// Runs `a[i] = i` on four workers, several times, as the cost of a kernel decides how it is shared out.
void runObserved(Observer& observer, const char* options, int times) {
  const compiler::Target target = compiler::hostTarget();
  const auto built =
      compiler::build("kernel void k(global int* a) { a[get_global_id(0)] = get_global_id(0); }", options, target);
  ASSERT_TRUE(built.compiled) << built.log;
  CpuExecutable program(
      built.compiled, target, std::make_shared<device::host::Workers>(4), std::make_shared<Allocator>(1 << 20), 1 << 20,
      device::cpu::CacheSizes{.secondLevel = 1 << 20, .lastLevel = 64 << 20}, compiler::generateNative);
  std::vector<int> a(items);
  Launch launch;
  launch.info = &built.compiled->kernels[0];
  launch.range = {.dims = 1, .global = {items, 1, 1}, .local = {100, 1, 1}};
  int* const address = a.data();
  launch.args.resize(launch.info->argBlockBytes);
  std::memcpy(launch.args.data(), &address, sizeof address);
  launch.observer = &observer;
  for (int i = 0; i < times; ++i) {
    PreparedLaunch prepared;
    const Result ready = program.prepare(launch, prepared);
    ASSERT_TRUE(ready) << ready.text;
    const Result result = program.run(launch, prepared);
    ASSERT_TRUE(result) << result.text;
  }
  for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(a[i], static_cast<int>(i));
}

std::vector<std::uint64_t> inOrder() {
  std::vector<std::uint64_t> ids(items);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

TEST(Observers, ofChecksGetEventsInOrder) {
  Ids ids(Instrumentation::Check);
  for (int i = 0; i < 3; ++i) {
    ids.seen.clear();
    runObserved(ids, "-cl-clarity-instrument", 1);
    EXPECT_EQ(ids.seen, inOrder());
  }
  EXPECT_EQ(ids.sites, 2u);  // one is refused, and one happens
  EXPECT_EQ(ids.completed, 3);
}

TEST(Observers, ofProfilesGetEveryEventOnce) {
  Ids ids(Instrumentation::Profile);
  runObserved(ids, "-cl-clarity-instrument", 1);
  std::ranges::sort(ids.seen);
  EXPECT_EQ(ids.seen, inOrder());
}

TEST(Observers, areToldWhereThereIsNoPortableIR) {
  Ids ids(Instrumentation::Check);
  runObserved(ids, "", 1);
  EXPECT_TRUE(ids.seen.empty());
  EXPECT_EQ(ids.reason, "its program was built without -cl-clarity-instrument");
}

TEST(Observers, theTableAddsUpAllThreads) {
  std::vector<std::string> tables;
  AccessTable table([&](const std::string& text) { tables.push_back(text); });
  runObserved(table, "-cl-clarity-instrument", 2);
  ASSERT_EQ(tables.size(), 2u);
  for (const std::string& text : tables) {
    EXPECT_TRUE(text.starts_with("kernel 'k', 20000 work-items in groups of 100: accesses to memory\n")) << text;
    EXPECT_NE(text.find("     1  a                          0       20000         80000       20000  kernel void k("),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace clarity::device::cpu

// SPDX-License-Identifier: Apache-2.0
// This file tests what becomes of options of the environment that name no device or processor of this machine.
#include "compiler/host/target.h"
#include "device/options.h"
#include "support/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

struct Discovered {
  std::vector<std::unique_ptr<device::Device>> devices;
  std::vector<std::string> complaints;
  bool complainsOf(std::string_view part) const {
    for (const std::string& complaint : complaints)
      if (complaint.contains(part)) return true;
    return false;
  }
};

Discovered discover(device::Options options) {
  Discovered result;
  result.complaints = device::correct(options);
  result.devices = device::discover(options);
  return result;
}

TEST(DeviceDiscover, DefaultsAreNotComplainedOf) {
  const Discovered found = discover({});
  EXPECT_EQ(found.devices.size(), 1U);
  EXPECT_TRUE(found.complaints.empty());
  EXPECT_TRUE(discover({.kinds = " cpu "}).complaints.empty());
  EXPECT_TRUE(discover({.cpu = "x86-64"}).complaints.empty());
}

// cl_khr_device_uuid: it follows from the processor's name alone, whatever the driver's version, the process or the
// options are.
TEST(DeviceDiscover, UuidIsThatOfTheProcessor) {
  const Discovered found = discover({}), other = discover({.threads = 1, .cpu = "x86-64"});
  const device::Properties& its = found.devices.at(0)->properties();
  EXPECT_EQ(its.uuid, std::bit_cast<decltype(its.uuid)>(support::hashOf("CPU " + its.vendor + " " + its.name)));
  EXPECT_EQ(its.uuid, other.devices.at(0)->properties().uuid);
}

TEST(DeviceDiscover, UnknownProcessorIsNamedAndNotUsed) {
  const Discovered found = discover({.cpu = "foo"});
  ASSERT_EQ(found.devices.size(), 1U);
  EXPECT_EQ(found.devices[0]->target(), discover({}).devices[0]->target());
  ASSERT_EQ(found.complaints.size(), 1U);
  for (const char* part : {"CLARITY_CPU='foo'", "x86-64-v3", "znver4", "native"})
    EXPECT_TRUE(found.complainsOf(part)) << part << " in: " << found.complaints[0];
  EXPECT_LT(found.complaints[0].size(), 200U) << "a sentence, no list: " << found.complaints[0];
  using Names = std::pair<std::string, std::string>;
  for (const auto& [given, meant] : {Names{"znver44", "znver4"}, Names{"x86_64-v3", "x86-64-v3"},
                                     Names{"Haswell", "haswell"}, Names{"natve", "native"}})
    EXPECT_TRUE(discover({.cpu = given}).complainsOf("did you mean '" + meant + "'")) << given;
}

// A processor that no machine has: each of the two lines of processors has instructions that the other lacks.
TEST(DeviceDiscover, ProcessorThatIsNotThisOne) {
  const bool isAmd = compiler::objectionTo("bdver4").empty();
  const char* const wrong = isAmd ? "diamondrapids" : "bdver4";
  const Discovered found = discover({.cpu = wrong});
  ASSERT_EQ(found.complaints.size(), 1U);
  EXPECT_TRUE(found.complainsOf("lacks")) << found.complaints[0];
  EXPECT_EQ(found.devices[0]->target().cpu, discover({}).devices[0]->target().cpu);
}

TEST(DeviceDiscover, UnknownKindOfDevices) {
  const Discovered found = discover({.kinds = "foo"});
  ASSERT_EQ(found.devices.size(), 1U);
  for (const char* part : {"'foo' is not understood", "cpu, nvidia", "the CPU takes their place"})
    EXPECT_TRUE(found.complainsOf(part)) << part;
  const Discovered mixed = discover({.kinds = "cpu,gpu"});
  EXPECT_EQ(mixed.devices.size(), 1U);
  EXPECT_EQ(mixed.complaints.size(), 1U);
  EXPECT_TRUE(mixed.complainsOf("'gpu' is not understood"));
}

TEST(DeviceDiscover, KindThatIsNamedTwice) {
  for (const char* kinds : {"cpu,cpu", " cpu , cpu"}) {
    const Discovered found = discover({.kinds = kinds});
    EXPECT_EQ(found.devices.size(), 1U);
    ASSERT_EQ(found.complaints.size(), 1U);
    EXPECT_EQ(found.complaints[0], std::string("CLARITY_DEVICES='") + kinds +
                                       "': 'cpu' is named twice and counts once; for two devices on one machine, "
                                       "divide it with clCreateSubDevices");
  }
}

TEST(DeviceDiscover, JoinedPartsOfTheCpu) {
  for (const char* kinds : {"joined(cpu,cpu)", " joined( cpu , cpu ) "}) {
    const Discovered found = discover({.threads = 3, .kinds = kinds});
    ASSERT_EQ(found.devices.size(), 1U) << kinds;
    EXPECT_TRUE(found.complaints.empty()) << found.complaints[0];
    EXPECT_EQ(found.devices[0]->properties().name.find("2 x "), 0U);
    EXPECT_EQ(found.devices[0]->properties().computeUnits, 3U);
  }
  EXPECT_EQ(discover({.kinds = "cpu,joined(cpu,cpu,cpu)"}).devices.size(), 2U);
}

TEST(DeviceDiscover, WhatCannotBeJoined) {
  EXPECT_TRUE(discover({.kinds = "joined(cpu,gpu)"}).complainsOf("'joined(cpu,gpu)'"));
  EXPECT_TRUE(discover({.kinds = "joined(joined(cpu,cpu))"}).complainsOf("none itself"));
  EXPECT_TRUE(discover({.kinds = "joined(cpu"}).complainsOf("is not understood"));
  EXPECT_TRUE(discover({.kinds = "joined(cpu,cpu)", .joined = "halves"}).complainsOf("CLARITY_JOINED='halves'"));
}

TEST(DeviceDiscover, TooManyThreads) {
  const Discovered found = discover({.threads = 4'000'000'000U});
  EXPECT_TRUE(found.complainsOf("CLARITY_THREADS=4000000000"));
  EXPECT_LT(found.devices[0]->properties().computeUnits, 1U << 20);
}

TEST(DeviceDiscover, TypeOfTheCpu) {
  EXPECT_EQ(discover({}).devices[0]->properties().type, cl_device_type{CL_DEVICE_TYPE_CPU});
  EXPECT_EQ(discover({.type = "gpu"}).devices[0]->properties().type, cl_device_type{CL_DEVICE_TYPE_GPU});
  const Discovered accelerator = discover({.type = "accelerator"});
  EXPECT_EQ(accelerator.devices[0]->properties().type, cl_device_type{CL_DEVICE_TYPE_ACCELERATOR});
  EXPECT_TRUE(accelerator.complaints.empty());
  const Discovered unknown = discover({.type = "tpu"});
  EXPECT_EQ(unknown.devices[0]->properties().type, cl_device_type{CL_DEVICE_TYPE_CPU});
  EXPECT_TRUE(unknown.complainsOf("CLARITY_DEVICE_TYPE='tpu'"));
  EXPECT_TRUE(unknown.complainsOf("cpu, gpu, accelerator"));
}

TEST(DeviceDiscover, CodeOfFirstLaunches) {
  for (const char* known : {"quick", "full"}) EXPECT_TRUE(discover({.firstLaunch = known}).complaints.empty()) << known;
  device::Options options{.firstLaunch = "fast"};
  const std::vector<std::string> complaints = device::correct(options);
  EXPECT_EQ(options.firstLaunch, "quick");
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find("CLARITY_FIRST_LAUNCH='fast' is not understood"), std::string::npos);
}

}  // namespace
}  // namespace clarity::test

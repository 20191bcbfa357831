// SPDX-License-Identifier: Apache-2.0
// This file tests a measurement on the device from end to end, results in files, and the tables.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "accuracy/document.h"
#include "accuracy/measure.h"
#include "named.h"

namespace {

using namespace accuracy;

class Measure : public testing::Test {
protected:
  Device device;
};

TEST_F(Measure, reportsWhatTheDeviceDoesWrong) {
  const Function<float>& sine = named<float>("sin");
  EXPECT_EQ(measure<float>(device, sine, "", 1 << 16, 2).outcome.failures, 0u);
  const Disturbance<float> fiveUlps = [](Block<float>& block) {
    for (std::size_t i = 0; i < block.count; ++i)
      if (block.x[i] == 1.0f) block.first[i] = fromBits<float>(bitsOf(block.first[i]) + 5);
  };
  const Result result = measure<float>(device, sine, "", 1 << 16, 2, fiveUlps);
  EXPECT_GE(result.outcome.failures, 1u);
  EXPECT_EQ(result.outcome.at, "0x1p+0");
  EXPECT_NEAR(result.outcome.error, 5, 0.6);
  std::ostringstream table;
  printTable(table, {result});
  EXPECT_NE(table.str().find("not allowed) | 0x1p+0 | 4 | 2^16 |"), std::string::npos) << table.str();
}

TEST_F(Measure, isTheSameOnAnyNumberOfThreads) {
  const Result one = measure<float>(device, named<float>("tan"), "", 1 << 18, 1),
               two = measure<float>(device, named<float>("tan"), "", 1 << 18, 3);
  EXPECT_EQ(one.outcome.error, two.outcome.error);
  EXPECT_EQ(one.outcome.at, two.outcome.at);
  EXPECT_EQ(one.outcome.index, two.outcome.index);
}

TEST_F(Measure, saysWhatIsNotBuilt) {
  Function<float> broken = named<float>("sin");
  broken.call = "no_such_function(x)";
  try {
    measure<float>(device, broken, "", 16, 1);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no_such_function"), std::string::npos) << error.what();
  }
}

TEST_F(Measure, resultsAreKeptAndTakenAgain) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("accuracy-" + std::to_string(::getpid()));
  const Store store(folder.string(), device);
  Result result = measure<float>(device, named<float>("exp"), "-cl-mad-enable", 1 << 12, 1);
  result.outcome.failures = 1;
  result.outcome.shown = {{0, "text"}};
  store.save(result);
  const auto again = store.load("float", "exp", "-cl-mad-enable", 1 << 12);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->outcome.at, result.outcome.at);
  EXPECT_NEAR(again->outcome.error, result.outcome.error, 1e-6);
  EXPECT_EQ(again->outcome.shown.at(0).text, "text");
  EXPECT_TRUE(store.load("float", "exp", "-cl-mad-enable", 1 << 10)) << "more than is wanted";
  EXPECT_FALSE(store.load("float", "exp", "-cl-mad-enable", 1 << 13));
  EXPECT_FALSE(store.load("float", "exp", "", 1 << 12));
  for (const auto& file : std::filesystem::directory_iterator(folder)) std::ofstream(file.path()) << "{\"half\": a fi";
  EXPECT_FALSE(store.load("float", "exp", "-cl-mad-enable", 1 << 12));
  std::filesystem::remove_all(folder);
}

TEST_F(Measure, theTableOfOptionsHasTheWorst) {
  Result good{.type = "float",
              .function = "sin",
              .options = "-cl-mad-enable",
              .allowed = "4",
              .outcome = {.error = 1, .limit = 4, .index = 0, .at = "x"}};
  Result bad = good, exact = good;
  bad.options = "-cl-opt-disable";
  bad.outcome.error = 2;
  exact.function = "floor";
  exact.allowed = "0";
  exact.outcome = {};
  std::ostringstream table;
  printOptionsTable(table, {good, bad, exact});
  EXPECT_NE(table.str().find("| float | sin | 2.0000 | x | 4 | `-cl-opt-disable` |"), std::string::npos) << table.str();
  EXPECT_NE(table.str().find("| float | floor | 0 | | 0 | all |"), std::string::npos) << table.str();
}

}  // namespace

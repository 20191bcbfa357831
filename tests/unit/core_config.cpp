// SPDX-License-Identifier: Apache-2.0
// This file tests how the options of config.def are read.
#include "core/config.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

namespace clarity::test {
namespace {

struct CoreConfig : testing::Test {
  std::map<std::string, std::string> variables;
  std::string complaints;
  core::Config read() {
    return core::readConfig(
        [this](const char* name) {
          const auto found = variables.find(name);
          return found == variables.end() ? nullptr : found->second.c_str();
        },
        complaints);
  }
};

TEST_F(CoreConfig, DefaultsWithoutVariables) {
  const core::Config config = read();
  EXPECT_TRUE(config.cache);
  EXPECT_EQ(config.cacheMegabytes, 256U);
  EXPECT_EQ(config.threads, 0U);
  EXPECT_EQ(config.cpu, "native");
  EXPECT_TRUE(config.trace.empty());
  EXPECT_TRUE(config.resolvedCacheFolder.empty()) << "no home, no cache";
  EXPECT_TRUE(complaints.empty());
}

TEST_F(CoreConfig, EveryTypeIsParsed) {
  variables = {{"CLARITY_CACHE", "off"},
               {"CLARITY_CACHE_SIZE_MB", "12"},
               {"CLARITY_THREADS", "3"},
               {"CLARITY_CPU", "x86-64"},
               {"CLARITY_TRACE", "/tmp/trace"}};
  const core::Config config = read();
  EXPECT_FALSE(config.cache);
  EXPECT_EQ(config.cacheMegabytes, 12U);
  EXPECT_EQ(config.threads, 3U);
  EXPECT_EQ(config.cpu, "x86-64");
  EXPECT_EQ(config.trace, "/tmp/trace");
  EXPECT_TRUE(complaints.empty());
}

TEST_F(CoreConfig, NonsenseLeavesTheDefaultAndIsSaid) {
  for (const char* value : {"-1", "3x", " 3", "99999999999999", "three"}) {
    complaints.clear();
    variables = {{"CLARITY_THREADS", value}};
    EXPECT_EQ(read().threads, 0U) << value;
    EXPECT_NE(complaints.find("CLARITY_THREADS"), std::string::npos) << value;
    EXPECT_NE(complaints.find(value), std::string::npos) << value;
  }
  variables = {{"CLARITY_CACHE", "maybe"}};
  EXPECT_TRUE(read().cache);
  EXPECT_NE(complaints.find("maybe"), std::string::npos);
}

TEST_F(CoreConfig, MessagesAreForTerminalsUnlessSaidOtherwise) {
  EXPECT_EQ(read().messages, "auto");
  variables = {{"CLARITY_MESSAGES", "/tmp/log"}};
  EXPECT_EQ(read().messages, "/tmp/log");
}

// no-color.org: any value but an empty one.
TEST_F(CoreConfig, ColoursNeedATerminalThatHasSome) {
  EXPECT_FALSE(read().colours) << "no terminal is named";
  variables = {{"TERM", "xterm"}};
  EXPECT_TRUE(read().colours);
  variables["NO_COLOR"] = "";
  EXPECT_TRUE(read().colours);
  variables["NO_COLOR"] = "0";
  EXPECT_FALSE(read().colours);
  variables = {{"TERM", "dumb"}};
  EXPECT_FALSE(read().colours);
}

TEST_F(CoreConfig, EmptyIsNotSet) {
  variables = {{"CLARITY_THREADS", ""}, {"CLARITY_CPU", ""}};
  EXPECT_EQ(read().cpu, "native");
  EXPECT_TRUE(complaints.empty());
}

TEST_F(CoreConfig, CacheFolderFollowsTheXdgSpecification) {
  variables = {{"HOME", "/home/ada"}};
  EXPECT_EQ(read().resolvedCacheFolder, "/home/ada/.cache/clarity");
  variables["XDG_CACHE_HOME"] = "relative/is/ignored";
  EXPECT_EQ(read().resolvedCacheFolder, "/home/ada/.cache/clarity");
  variables["XDG_CACHE_HOME"] = "/var/cache/ada";
  EXPECT_EQ(read().resolvedCacheFolder, "/var/cache/ada/clarity");
  variables["CLARITY_CACHE_DIR"] = "/mine";
  EXPECT_EQ(read().resolvedCacheFolder, "/mine");
  variables["CLARITY_CACHE"] = "0";
  EXPECT_TRUE(read().resolvedCacheFolder.empty());
}

TEST_F(CoreConfig, UnknownNamesAreReported) {
  const auto sentences = [](std::vector<const char*> variables) { return core::unknownVariables(variables); };
  for (const auto& [written, meant] : std::map<const char*, const char*>{{"CLARITY_THREAD=2", "CLARITY_THREADS"},
                                                                         {"CLARITY_CASHE=0", "CLARITY_CACHE"},
                                                                         {"CLARITY_CACHEDIR=/tmp", "CLARITY_CACHE_DIR"},
                                                                         {"CLARITY_MESAGES=never", "CLARITY_MESSAGES"},
                                                                         {"CLARITY_TRACES", "CLARITY_TRACE"}}) {
    const std::vector<std::string> found = sentences({written});
    ASSERT_EQ(found.size(), 1U) << written;
    EXPECT_NE(found[0].find("did you mean '" + std::string(meant) + "'?"), std::string::npos) << found[0];
  }
  EXPECT_EQ(sentences({"CLARITY_THREAD=1", "PATH=/bin", "CLARITY_TRAC=1"}).size(), 2U);
  // Similar to none.
  for (const char* const unknown : {"CLARITY_THEME=dark", "CLARITY_=", "CLARITY_VERBOSE", "CLARITY_TESTS=1"}) {
    const std::vector<std::string> found = sentences({unknown});
    ASSERT_EQ(found.size(), 1U) << unknown;
    const std::string_view text = unknown;
    EXPECT_EQ(found[0].find("there is no option " + std::string(text.substr(0, text.find('=')))), 0U) << found[0];
  }
}

TEST_F(CoreConfig, OtherNamesAreLeftAlone) {
  for (const core::ConfigOption& option : core::describeConfig(read()))
    EXPECT_TRUE(core::unknownVariables(std::array{option.name}).empty()) << option.name;
  // Variables of build systems and of other programs.
  const std::array others = {"CLARITY_TEST_PLATFORM=Clarity",
                             "CLARITY_ICD=/x",
                             "CLARITY_TEST_SEED=1",
                             "XCLARITY_THREAD=1",
                             "=",
                             "",
                             "THREAD=1"};
  EXPECT_TRUE(core::unknownVariables(others).empty());
}

TEST_F(CoreConfig, EveryOptionIsDescribedOnce) {
  variables = {{"CLARITY_THREADS", "5"}};
  std::set<std::string> names;
  for (const core::ConfigOption& option : core::describeConfig(read())) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(std::string(option.name).starts_with("CLARITY_")) << option.name;
    EXPECT_GT(std::string(option.documentation).size(), 10U) << option.name;
    if (option.name == std::string("CLARITY_THREADS")) {
      EXPECT_EQ(option.initial, "0");
      EXPECT_EQ(option.value, "5");
    }
  }
  EXPECT_TRUE(names.contains("CLARITY_CACHE_DIR"));
  EXPECT_GE(names.size(), 6U);
}

}  // namespace
}  // namespace clarity::test

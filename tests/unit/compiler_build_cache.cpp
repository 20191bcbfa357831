// SPDX-License-Identifier: Apache-2.0
// This file tests which builds come out of the cache, and above all which must not.
#include "compiler/driver/compiler.h"
#include "compiler/host/target.h"

#include "temporary_folder.h"

#include <gtest/gtest.h>

namespace clarity::compiler {
namespace {

class BuildCache : public testing::Test {
protected:
  void SetUp() override { freshCache(); }
  void TearDown() override { configureCache({}); }

  /// As a new process sees the folder: nothing in memory.
  void freshCache() { configureCache({folder_ / "cache"}); }

  Outcome built(std::string_view source, std::string_view options = "") {
    Outcome outcome = build(source, options, target_);
    EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
    return outcome;
  }

  TemporaryFolder folder_;
  Target target_ = hostTarget();
};

constexpr const char* numberedSource = "__kernel void k(__global int* o) { o[0] = N; }";

TEST_F(BuildCache, theSameBuildComesFromTheCache) {
  const Outcome first = built(numberedSource, "-DN=1");
  EXPECT_FALSE(first.fromCache);
  const Outcome second = built(numberedSource, "-DN=1");
  EXPECT_TRUE(second.fromCache);
  freshCache();
  const Outcome third = built(numberedSource, "-DN=1");
  EXPECT_TRUE(third.fromCache);
  for (const Outcome* outcome : {&second, &third}) {
    EXPECT_EQ(outcome->compiled->bitcode, first.compiled->bitcode);
    EXPECT_EQ(outcome->compiled->hash[0], first.compiled->hash[0]);
    EXPECT_EQ(outcome->compiled->kernels.size(), 1u);
    EXPECT_EQ(outcome->log, first.log);
  }
}

TEST_F(BuildCache, theLogIsKept) {
  const std::string log = built("__kernel void k(__global int* o) { o[0]; }").log;
  EXPECT_NE(log.find("warning"), std::string::npos);
  const Outcome second = built("__kernel void k(__global int* o) { o[0]; }");
  EXPECT_TRUE(second.fromCache);
  EXPECT_EQ(second.log, log);
}

TEST_F(BuildCache, everythingThatDecidesIsInTheKey) {
  built(numberedSource, "-DN=1");
  EXPECT_FALSE(built(numberedSource, "-DN=2").fromCache);
  EXPECT_FALSE(built(std::string(numberedSource) + " ", "-DN=1").fromCache);
  target_.cpu = "x86-64";
  target_.features = "";
  EXPECT_FALSE(built(numberedSource, "-DN=1").fromCache);
  target_.deviceVersion += "x";
  EXPECT_FALSE(built(numberedSource, "-DN=1").fromCache);
}

TEST_F(BuildCache, failuresAreNotKept) {
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = build("nonsense", "", target_);
    EXPECT_EQ(outcome.status, Status::CompileFailure);
    EXPECT_FALSE(outcome.fromCache);
  }
}

TEST_F(BuildCache, aChangedHeaderIsNoticed) {
  const std::string source = "#include \"n.h\"\n" + std::string(numberedSource);
  const std::string options = "-I" + folder_.path().string();
  folder_.write("n.h", "#include \"deeper.h\"\n");
  folder_.write("deeper.h", "#define N 1\n");
  const Outcome first = built(source, options);
  EXPECT_TRUE(built(source, options).fromCache);
  folder_.write("deeper.h", "#define N 2\n");  // same size, perhaps the same second
  const Outcome second = built(source, options);
  EXPECT_FALSE(second.fromCache);
  EXPECT_NE(second.compiled->hash[0], first.compiled->hash[0]);
  std::filesystem::remove(folder_ / "deeper.h");
  EXPECT_EQ(build(source, options, target_).status, Status::CompileFailure);
}

TEST_F(BuildCache, aHeaderThatAppearsEarlierInThePathIsNoticed) {
  const std::string source = "#include \"n.h\"\n" + std::string(numberedSource);
  folder_.write("late/n.h", "#define N 1\n");
  std::filesystem::create_directories(folder_ / "early");
  const std::string options = "-I" + (folder_ / "missing") + " -I" + (folder_ / "early") + " -I" + (folder_ / "late");
  const Outcome first = built(source, options);
  EXPECT_TRUE(built(source, options).fromCache);
  folder_.write("early/n.h", "#define N 2\n");
  const Outcome second = built(source, options);
  EXPECT_FALSE(second.fromCache);
  EXPECT_NE(second.compiled->hash[0], first.compiled->hash[0]);
  folder_.write("missing/n.h", "#define N 3\n");
  const Outcome third = built(source, options);
  EXPECT_FALSE(third.fromCache);
  EXPECT_NE(third.compiled->hash[0], second.compiled->hash[0]);
}

TEST_F(BuildCache, hasIncludeIsNoticed) {
  const std::string source =
      "#if __has_include(\"maybe.h\")\n#define N 1\n#else\n#define N 2\n#endif\n" + std::string(numberedSource);
  const std::string options = "-I" + folder_.path().string();
  const Outcome first = built(source, options);
  EXPECT_TRUE(built(source, options).fromCache);
  folder_.write("maybe.h", "");
  const Outcome second = built(source, options);
  EXPECT_FALSE(second.fromCache);
  EXPECT_NE(second.compiled->hash[0], first.compiled->hash[0]);
}

TEST_F(BuildCache, embeddedHeadersAreInTheKey) {
  const std::string source = "#include \"n.h\"\n" + std::string(numberedSource);
  const auto compileWith = [&](const char* text) {
    return compile(source, std::vector<Header>{{"n.h", text}}, "", target_);
  };
  EXPECT_FALSE(compileWith("#define N 1\n").fromCache);
  EXPECT_TRUE(compileWith("#define N 1\n").fromCache);
  EXPECT_FALSE(compileWith("#define N 2\n").fromCache);
}

TEST_F(BuildCache, programsThatAskForTheTimeAreNotKept) {
  const char* source = "__constant char t[] = __TIME__;\n__kernel void k(__global char* o) { o[0] = t[o[1]]; }";
  built(source);
  EXPECT_FALSE(built(source).fromCache);
}

TEST_F(BuildCache, linkedProgramsAreKept) {
  const auto part = [&](const char* source) { return compile(source, {}, "", target_).compiled; };
  const std::vector programs = {part("int f(int);\n__kernel void k(__global int* o) { o[0] = f(1); }"),
                                part("int f(int x) { return x; }")};
  EXPECT_FALSE(link(programs, "", target_).fromCache);
  EXPECT_TRUE(link(programs, "", target_).fromCache);
  EXPECT_FALSE(link(programs, "-create-library", target_).fromCache);
}

TEST_F(BuildCache, withoutFolderNothingIsKept) {
  configureCache({});
  built(numberedSource, "-DN=1");
  EXPECT_FALSE(built(numberedSource, "-DN=1").fromCache);
}

}  // namespace
}  // namespace clarity::compiler

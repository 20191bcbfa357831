// SPDX-License-Identifier: Apache-2.0
// This file tests the parsing of build options (OpenCL 3.0, section 5.8.6).
#include "compiler/frontend/options.h"

#include "compiler/ir/pass_names.h"

#include <gtest/gtest.h>

namespace clarity::compiler {
namespace {

Options accepted(std::string_view text, OptionsFor call = OptionsFor::Build) {
  auto options = parseOptions(text, call);
  EXPECT_TRUE(options) << text << ": " << options.error();
  return options.value_or(Options{});
}

std::string refused(std::string_view text, OptionsFor call = OptionsFor::Build) {
  const auto options = parseOptions(text, call);
  EXPECT_FALSE(options) << text;
  return options ? "" : options.error();
}

TEST(BuildOptions, defaults) {
  const Options options = accepted("");
  EXPECT_EQ(options.language, Language::C12);
  EXPECT_TRUE(options.uniformWorkGroups());
  EXPECT_TRUE(options.macros.empty());
  EXPECT_FALSE(options.fastRelaxedMath);
  EXPECT_EQ(options.remarks, "");
}

TEST(BuildOptions, disabledPasses) {
  EXPECT_TRUE(accepted("").disabledPasses.empty());
  EXPECT_EQ(accepted("-cl-clarity-disable=fold-guards").disabledPasses, (std::vector<std::string>{"fold-guards"}));
  EXPECT_EQ(
      accepted("-cl-clarity-disable=fold-guards,licm -cl-clarity-disable=packets", OptionsFor::Link).disabledPasses,
      (std::vector<std::string>{"fold-guards", "licm", "packets"}));
  EXPECT_EQ(accepted("-cl-clarity-disable=licm.1").disabledPasses, (std::vector<std::string>{"licm.1"}));
  EXPECT_FALSE(refused("-cl-clarity-disable=licm.0").empty());
  EXPECT_FALSE(refused("-cl-clarity-disable=licm.1000").empty());
  EXPECT_FALSE(refused("-cl-clarity-disable=save-live-values.1").empty());
  for (const std::string_view name : optionalSteps())
    EXPECT_TRUE(parseOptions("-cl-clarity-disable=" + std::string(name), OptionsFor::Build)) << name;
}

TEST(BuildOptions, passesThatCannotBeDisabled) {
  const std::string unknown = refused("-cl-clarity-disable=fold-gards");
  EXPECT_TRUE(unknown.starts_with(
      "'fold-gards' in '-cl-clarity-disable' is not a pass (did you mean 'fold-guards'?); optional passes are "))
      << unknown;
  EXPECT_TRUE(unknown.contains(" coarsen, ")) << unknown;
  EXPECT_TRUE(unknown.contains(" fold-guards, ")) << unknown;
  const std::string required = refused("-cl-clarity-disable=licm,save-live-values");
  EXPECT_TRUE(
      required.starts_with("'save-live-values' in '-cl-clarity-disable' is a required pass; optional passes are "))
      << required;
  EXPECT_FALSE(required.contains("save-live-values,")) << required;
  EXPECT_TRUE(refused("-cl-clarity-disable=").starts_with("'' in '-cl-clarity-disable' is not a pass"));
  EXPECT_TRUE(refused("-cl-clarity-disable=licm,").starts_with("'' in"));
}

TEST(BuildOptions, macrosInAllSpellings) {
  const Options options = accepted(R"(-DA -D B -DC=1 -D D=2 -DE="a b" -D F="\"x y\"" -DG= -DH(a)=a -UA -U B)");
  ASSERT_EQ(options.macros.size(), 10u);
  const std::pair<const char*, bool> expected[] = {
      {"A", false},         {"B", false},  {"C=1", false},    {"D=2", false}, {"E=a b", false},
      {"F=\"x y\"", false}, {"G=", false}, {"H(a)=a", false}, {"A", true},    {"B", true}};
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(options.macros[i].text, expected[i].first);
    EXPECT_EQ(options.macros[i].undefine, expected[i].second);
  }
}

TEST(BuildOptions, macrosThatAreNone) {
  EXPECT_EQ(refused("-D"), "option '-D' needs a name");
  EXPECT_EQ(refused("-D1A=2"), "'1A' in option '-D1A=2' is not the name of a macro");
  EXPECT_EQ(refused("-D -w"), "'-w' in option '-D-w' is not the name of a macro");
  EXPECT_EQ(refused("-U"), "option '-U' needs a name");
}

TEST(BuildOptions, includeFolders) {
  const Options options = accepted(R"(-I"/a b" -I /c -I/d\ e -I .)");
  EXPECT_EQ(options.includeFolders, (std::vector<std::string>{"/a b", "/c", "/d e", "."}));
  EXPECT_EQ(refused("-w -I"), "option '-I' needs a folder");
}

TEST(BuildOptions, languages) {
  EXPECT_EQ(accepted("-cl-std=CL1.0").language, Language::C10);
  EXPECT_EQ(accepted("-cl-std=CL1.1").language, Language::C11);
  EXPECT_EQ(accepted("-cl-std=cl1.2").language, Language::C12);
  EXPECT_EQ(accepted("-cl-std=CL2.0").language, Language::C20);
  EXPECT_EQ(accepted("-cl-std=CL3.0").language, Language::C30);
  EXPECT_EQ(accepted("-cl-std=CLC++").language, Language::Cxx10);
  EXPECT_EQ(accepted("-cl-std=CLC++2021").language, Language::Cxx2021);
  EXPECT_EQ(accepted("-x clc++").language, Language::Cxx2021);
  EXPECT_EQ(accepted("-x clc").language, Language::C12);
  EXPECT_NE(refused("-cl-std=CL9.9").find("'-cl-std=CL9.9' is not a supported version"), std::string::npos);
  EXPECT_EQ(accepted("-x spir -spir-std=1.2").language, Language::C12);
  EXPECT_NE(refused("-x c").find("'-x c' is not a supported language"), std::string::npos);
}

TEST(BuildOptions, everyFlagSetsWhatItImplies) {
  const Options fast = accepted("-cl-fast-relaxed-math");
  EXPECT_TRUE(fast.fastRelaxedMath && fast.finiteMathOnly && fast.unsafeMath && fast.noSignedZeros && fast.madEnable);
  const Options unsafe = accepted("-cl-unsafe-math-optimizations");
  EXPECT_TRUE(unsafe.unsafeMath && unsafe.noSignedZeros && unsafe.madEnable && !unsafe.finiteMathOnly);
  EXPECT_TRUE(accepted("-cl-single-precision-constant").singlePrecisionConstant);
  EXPECT_EQ(accepted("-cl-denorms-are-zero").remarks, "") << "a hint";
  EXPECT_TRUE(accepted("-cl-fp32-correctly-rounded-divide-sqrt").correctlyRoundedDivideSqrt);
  EXPECT_TRUE(accepted("-cl-opt-disable").optDisable);
  EXPECT_TRUE(accepted("-cl-mad-enable").madEnable);
  EXPECT_TRUE(accepted("-cl-no-signed-zeros").noSignedZeros);
  EXPECT_TRUE(accepted("-cl-finite-math-only").finiteMathOnly);
  EXPECT_TRUE(accepted("-cl-no-subgroup-ifp").noSubgroupIndependentProgress);
  EXPECT_TRUE(accepted("-cl-kernel-arg-info").kernelArgInfo);
  EXPECT_TRUE(accepted("-cl-clarity-describe-arguments").describeArguments);
  EXPECT_TRUE(accepted("-w").noWarnings);
  EXPECT_TRUE(accepted("-Werror").warningsAreErrors);
  EXPECT_TRUE(accepted("-g").debug);
  accepted("-cl-strict-aliasing");
  EXPECT_EQ(accepted("-Wno-unused-value -Wall").warnings, (std::vector<std::string>{"no-unused-value", "all"}));
}

TEST(BuildOptions, uniformWorkGroups) {
  EXPECT_FALSE(accepted("-cl-std=CL2.0").uniformWorkGroups());
  EXPECT_FALSE(accepted("-cl-std=CL3.0").uniformWorkGroups());
  EXPECT_FALSE(accepted("-cl-std=CLC++").uniformWorkGroups());
  EXPECT_TRUE(accepted("-cl-std=CL3.0 -cl-uniform-work-group-size").uniformWorkGroups());
}

TEST(BuildOptions, unknownOnesAreNamed) {
  EXPECT_EQ(refused("-w -cl-nothing -g"), "unknown build option '-cl-nothing'");
  EXPECT_EQ(refused("file.cl"), "'file.cl' is not a build option");
  EXPECT_EQ(refused("\"\""), "'' is not a build option");
  EXPECT_EQ(refused("-"), "unknown build option '-'");
}

TEST(BuildOptions, theDashIsMissing) {
  for (const char* option :
       {"cl-fast-relaxed-math", "w", "Werror", "cl-std=CL2.0", "DN=4", "I/usr/include", "D", "O3", "cl-nv-verbose"})
    EXPECT_EQ(refused(option), std::string("'") + option + "' is not a build option; did you mean '-" + option + "'?");
  EXPECT_NE(refused("cl-fast-relaxed-mth").find("did you mean '-cl-fast-relaxed-math'?"), std::string::npos);
}

TEST(BuildOptions, anotherDash) {
  for (const char* dash : {"\u2013", "\u2014", "\u2212"})
    EXPECT_EQ(refused(std::string(dash) + "cl-mad-enable").find("did you mean '-cl-mad-enable'? It begins"),
              std::string("'" + std::string(dash) + "cl-mad-enable' is not a build option; ").size());
}

TEST(BuildOptions, shortOnesAreLikeNoOther) { EXPECT_EQ(refused("-O9"), "unknown build option '-O9'"); }

TEST(BuildOptions, reportsAreForAWorkGroupSize) {
  using Size = std::array<std::uint32_t, 3>;
  EXPECT_FALSE(accepted("").report);
  EXPECT_TRUE(accepted("-cl-clarity-report").report);
  EXPECT_FALSE(accepted("-cl-clarity-report").reportJson);
  EXPECT_TRUE(accepted("-cl-clarity-report-json").report);
  EXPECT_TRUE(accepted("-cl-clarity-report-json").reportJson);
  EXPECT_EQ(accepted("-cl-clarity-report").reportLocal, (Size{0, 0, 0}));
  EXPECT_EQ(accepted("-cl-clarity-report=64").reportLocal, (Size{64, 1, 1}));
  EXPECT_EQ(accepted("-cl-clarity-report=16x8").reportLocal, (Size{16, 8, 1}));
  EXPECT_EQ(accepted("-cl-clarity-report=4x2x3").reportLocal, (Size{4, 2, 3}));
  EXPECT_TRUE(accepted("-cl-clarity-report=4x2x3").report);
  EXPECT_TRUE(accepted("-cl-clarity-report-kernel=add").report);
  EXPECT_EQ(accepted("-cl-clarity-report-kernel=add").reportKernel, "add");
  for (const char* size : {"", "x", "0", "4x", "4x0", "4x4x4x4", "-4", "4 x", "a"})
    EXPECT_EQ(refused(std::string("\"-cl-clarity-report=") + size + "\""),
              std::string("'-cl-clarity-report=") + size + "' is not a work-group size, such as 64 or 16x16");
}

TEST(BuildOptions, otherVendorsOptionsAreRemarkedUpon) {
  EXPECT_EQ(accepted("-cl-nv-verbose").remarks, "note: build option '-cl-nv-verbose' has no effect on this device\n");
  EXPECT_EQ(accepted("-cl-nv-opt-level 3 -w").remarks,
            "note: build option '-cl-nv-opt-level 3' has no effect on this device\n");
  EXPECT_TRUE(accepted("-cl-nv-opt-level 3 -w").noWarnings);
  for (const char* option :
       {"-cl-nv-maxrregcount=32", "-cl-intel-greater-than-4GB-buffer-required", "-O3", "-save-temps", "-s"})
    EXPECT_NE(accepted(option).remarks, "") << option;
  for (const char* option : {"-cl-match-sincospi", "-cl-fp64-gen-emu", "-cl-take-global-address",
                             "-cl-poison-unsupported-fp64-kernels", "-profiling", "-gline-tables-only"})
    EXPECT_EQ(accepted(option).remarks,
              std::string("note: build option '") + option + "' has no effect on this device\n");
  EXPECT_EQ(accepted("-g -s \"my file.cl\" -w").remarks,
            "note: build option '-s my file.cl' has no effect on this device\n");
  EXPECT_TRUE(accepted("-s -w").noWarnings);
}

TEST(BuildOptions, eachCallHasItsOwn) {
  accepted("-cl-fast-relaxed-math -cl-denorms-are-zero -create-library -enable-link-options", OptionsFor::Link);
  EXPECT_EQ(refused("-DX", OptionsFor::Link), "option '-DX' is not valid for linking");
  EXPECT_EQ(refused("-cl-std=CL2.0", OptionsFor::Link), "option '-cl-std=CL2.0' is not valid for linking");
  EXPECT_EQ(refused("-create-library", OptionsFor::Compile), "option '-create-library' is not valid for compiling");
  refused("-create-library", OptionsFor::Build);
  EXPECT_EQ(refused("-enable-link-options", OptionsFor::Link),
            "-enable-link-options is only valid together with -create-library");
}

TEST(BuildOptions, theSourcesName) {
  EXPECT_EQ(accepted("").sourceName, "program.cl");
  EXPECT_EQ(accepted("-cl-clarity-source-name=dir/k.cl").sourceName, "dir/k.cl");
  EXPECT_EQ(accepted("\"-cl-clarity-source-name=my kernel.cl\"").sourceName, "my kernel.cl");
  refused("-cl-clarity-source-name=");
  refused("\"-cl-clarity-source-name=a\nb\"");
}

TEST(BuildOptions, unclosedQuote) { EXPECT_NE(refused("-DX=\"1").find("is not closed"), std::string::npos); }

}  // namespace
}  // namespace clarity::compiler

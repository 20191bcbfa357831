// SPDX-License-Identifier: Apache-2.0
// This file tests the options of clBuildProgram (OpenCL 3.0, section 5.8.6): how they are split, what each does, and
// which are wrong.
#include "fixture.h"
#include "folder.h"

#include <cstring>

namespace clarity::test {
namespace {

struct BuildOptions : OpenCL {
  /// The value of `*r = expression` when the program is built with these options.
  cl_int value(const std::string& expression, const std::string& options, const std::string& before = "") {
    const std::string text = before + "\nkernel void value(global int* r) { *r = (int)(" + expression + "); }\n";
    cl_program program = source(text.c_str());
    const cl_int error = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    EXPECT_SUCCESS(error) << "options: " << options << "\n" << buildLog(program);
    return error == CL_SUCCESS ? valueOf(program) : -12345;
  }
  cl_int errorOf(const std::string& options, const char* text = "kernel void value(global int* r) { *r = 1; }") {
    last = source(text);
    return clBuildProgram(last, 1, &device, options.c_str(), nullptr, nullptr);
  }
  bool supportsC(unsigned major, unsigned minor) {
    for (const cl_name_version& each :
         infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS))
      if (CL_VERSION_MAJOR(each.version) == major && CL_VERSION_MINOR(each.version) == minor) return true;
    return false;
  }
  cl_program last = nullptr;
};

TEST_F(BuildOptions, definesMacros) {
  EXPECT_EQ(value("N", "-D N=7"), 7);
  EXPECT_EQ(value("N", "-DN=8"), 8);
  EXPECT_EQ(value("N", "-D N"), 1);
  EXPECT_EQ(value("N", "-DN"), 1);
  EXPECT_EQ(value("N + M * 100 + K * 10000", "-DN=1 -D M=2 -DK=3"), 30201);
  EXPECT_EQ(value("N", "   -D   N=9\t-DM\n -DK=1  "), 9);
  EXPECT_EQ(value("1 N", "-DN="), 1);
}

// -D options are processed in their order.
TEST_F(BuildOptions, definesInOrder) {
  EXPECT_EQ(value("N", "-DM=5 -DN=M -w"), 5);
  EXPECT_EQ(value("N", "-DN=1 -DN=2 -w"), 2);
}

// Options are split as a shell does it: quotes keep blanks and are taken away, a backslash keeps the next character.
TEST_F(BuildOptions, splitsAsAShell) {
  EXPECT_EQ(value("N", "-DN=\"1 + 2\""), 3);
  EXPECT_EQ(value("N", "-D \"N=2 + 2\""), 4);
  EXPECT_EQ(value("N", "\"-DN=2 + 3\""), 5);
  EXPECT_EQ(value("N", "-D'N=3 + 3'"), 6);
  EXPECT_EQ(value("N", "-DN=3\\ +\\ 4"), 7);
  EXPECT_EQ(value("F(4)", "'-DF(x)=((x) * 2)'"), 8);
  EXPECT_EQ(value("sizeof(TEXT)", "-DTEXT=\\\"abcd\\\""), 5);
  EXPECT_EQ(value("sizeof(TEXT)", "-DTEXT=\"\\\"abc def\\\"\""), 8);
  EXPECT_EQ(value("sizeof(TEXT)", "'-DTEXT=\"ab\"' -DN=1"), 3);
}

TEST_F(BuildOptions, includesFromDisk) {
  const Folder folder("plain");
  folder.write("number.h", "#define NUMBER 21\n");
  EXPECT_EQ(value("NUMBER", "-I" + folder.path(), "#include \"number.h\""), 21);
  EXPECT_EQ(value("NUMBER", "-I " + folder.path(), "#include \"number.h\""), 21);
  EXPECT_EQ(value("NUMBER", "-I " + folder.path(), "#include <number.h>"), 21);
  EXPECT_EQ(value("NUMBER", "-I" + folder.path() + "/", "#include <number.h>"), 21);
}

TEST_F(BuildOptions, includesFromFoldersWithBlanks) {
  const Folder folder("a b");
  folder.write("number.h", "#define NUMBER 22\n");
  EXPECT_EQ(value("NUMBER", "-I\"" + folder.path() + "\"", "#include \"number.h\""), 22);
  EXPECT_EQ(value("NUMBER", "-I \"" + folder.path() + "\" -DX", "#include \"number.h\""), 22);
  EXPECT_EQ(value("NUMBER", "-I'" + folder.path() + "'", "#include \"number.h\""), 22);
  EXPECT_EQ(value("NUMBER", "\"-I" + folder.path() + "\"", "#include \"number.h\""), 22);
}

// Headers include others beside them and below them; folders are searched in their order.
TEST_F(BuildOptions, includesHeadersOfHeaders) {
  const Folder first("first"), second("second");
  first.write("outer.h", "#include \"sub/inner.h\"\n#define OUTER (INNER + 1)\n");
  first.write("sub/inner.h", "#include \"beside.h\"\n#define INNER (BESIDE * 10)\n");
  first.write("sub/beside.h", "#define BESIDE 3\n");
  second.write("outer.h", "#define OUTER 99\n");
  second.write("only.h", "#define ONLY 1\n");
  const std::string options = "-I " + first.path() + " -I " + second.path();
  EXPECT_EQ(value("OUTER + ONLY", options, "#include \"outer.h\"\n#include <only.h>"), 32);
  EXPECT_EQ(value("OUTER", "-I" + second.path() + " -I" + first.path(), "#include \"outer.h\""), 99);
}

// A header that has changed since the last build is read again, also when its size and second are the same.
TEST_F(BuildOptions, readsChangedHeaders) {
  const Folder folder("changing");
  for (int n : {31, 32, 33}) {
    folder.write("number.h", "#define NUMBER " + std::to_string(n) + "\n");
    EXPECT_EQ(value("NUMBER", "-I" + folder.path(), "#include \"number.h\""), n);
  }
}

// A header that was not there and now is, in a folder that is searched earlier, is the one to be read.
TEST_F(BuildOptions, readsHeadersThatAppear) {
  const Folder first("early"), second("late");
  second.write("number.h", "#define NUMBER 41\n");
  const std::string options = "-I" + first.path() + " -I" + second.path();
  EXPECT_EQ(value("NUMBER", options, "#include \"number.h\""), 41);
  first.write("number.h", "#define NUMBER 42\n");
  EXPECT_EQ(value("NUMBER", options, "#include \"number.h\""), 42);
}

// A header that is missing is an error that names it; a folder that is missing is none.
TEST_F(BuildOptions, missingHeaders) {
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, errorOf("", "#include \"no_such_header.h\"\nkernel void k() {}"));
  EXPECT_NE(buildLog(last).find("no_such_header.h"), std::string::npos) << buildLog(last);
  EXPECT_SUCCESS(errorOf("-I /dev/null/folder"));
}

// A header that includes itself is an error, not a crash.
TEST_F(BuildOptions, endlessIncludes) {
  const Folder folder("endless");
  folder.write("self.h", "#include \"self.h\"\n");
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, errorOf("-I" + folder.path(), "#include \"self.h\"\nkernel void k() {}"));
  EXPECT_NE(buildLog(last).find("nested"), std::string::npos) << buildLog(last);
}

TEST_F(BuildOptions, takesEveryOptionOfTheStandard) {
  std::vector<std::string> options{"-cl-single-precision-constant",
                                   "-cl-denorms-are-zero",
                                   "-cl-opt-disable",
                                   "-cl-strict-aliasing",
                                   "-cl-uniform-work-group-size",
                                   "-cl-no-subgroup-ifp",
                                   "-cl-mad-enable",
                                   "-cl-no-signed-zeros",
                                   "-cl-unsafe-math-optimizations",
                                   "-cl-finite-math-only",
                                   "-cl-fast-relaxed-math",
                                   "-w",
                                   "-Werror",
                                   "-cl-std=CL1.1",
                                   "-cl-std=CL1.2",
                                   "-cl-std=CL3.0",
                                   "-cl-std=CL3.1",
                                   "-cl-kernel-arg-info",
                                   "-g",
                                   "-cl-fast-relaxed-math -cl-mad-enable -w -Werror -DX=1"};
  if (infoOf<cl_device_fp_config>(clGetDeviceInfo, device, CL_DEVICE_SINGLE_FP_CONFIG) &
      CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
    options.push_back("-cl-fp32-correctly-rounded-divide-sqrt");
  for (const std::string& each : options) EXPECT_EQ(value("6 * 7", each), 42) << each;
}

TEST_F(BuildOptions, definesTheVersion) {
  EXPECT_EQ(value("__OPENCL_VERSION__", ""), 300);
  EXPECT_EQ(value("__OPENCL_C_VERSION__", ""), 120) << "the highest OpenCL C 1.x by default";
  EXPECT_EQ(value("__OPENCL_C_VERSION__", "-cl-std=CL1.1"), 110);
  EXPECT_EQ(value("__OPENCL_C_VERSION__", "-cl-std=CL1.2"), 120);
  EXPECT_EQ(value("__OPENCL_C_VERSION__", "-cl-std=CL3.0"), 300);
  EXPECT_EQ(value("__OPENCL_C_VERSION__", "-cl-std=CL3.1"), 310);
  for (const char* version : {"", "-cl-std=CL3.0", "-cl-std=CL3.1"}) EXPECT_EQ(value("CL_VERSION_3_1", version), 310);
  EXPECT_EQ(
      value("CL_VERSION_1_0 + CL_VERSION_1_1 + CL_VERSION_1_2 + CL_VERSION_2_0 + CL_VERSION_3_0", "-cl-std=CL3.0"),
      100 + 110 + 120 + 200 + 300);
}

// OpenCL C 2.0 is refused by a device that does not list it.
TEST_F(BuildOptions, refusesVersionsThatAreNotThere) {
  const cl_int error = errorOf("-cl-std=CL2.0");
  if (supportsC(2, 0))
    EXPECT_SUCCESS(error);
  else
    EXPECT_TRUE(error == CL_BUILD_PROGRAM_FAILURE || error == CL_INVALID_BUILD_OPTIONS) << errorName(error);
}

// The optional features that the compiler defines in OpenCL C 3.0 are those that the device reports.
TEST_F(BuildOptions, definesTheFeaturesOfTheDevice) {
  const char* known[] = {"__opencl_c_3d_image_writes",
                         "__opencl_c_atomic_order_acq_rel",
                         "__opencl_c_atomic_order_seq_cst",
                         "__opencl_c_atomic_scope_device",
                         "__opencl_c_atomic_scope_all_devices",
                         "__opencl_c_device_enqueue",
                         "__opencl_c_fp64",
                         "__opencl_c_generic_address_space",
                         "__opencl_c_images",
                         "__opencl_c_int64",
                         "__opencl_c_pipes",
                         "__opencl_c_program_scope_global_variables",
                         "__opencl_c_read_write_images",
                         "__opencl_c_subgroups",
                         "__opencl_c_work_group_collective_functions"};
  std::string before = "constant int features = 0";
  for (size_t i = 0; i < std::size(known); ++i)
    before += std::string("\n#ifdef ") + known[i] + "\n | " + std::to_string(1 << i) + "\n#endif";
  const cl_int defined = value("features", "-cl-std=CL3.0", before + "\n;");
  EXPECT_NE(defined, 0);
  for (size_t i = 0; i < std::size(known); ++i) {
    bool reported = false;
    for (const cl_name_version& each :
         infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_FEATURES))
      reported |= std::strcmp(each.name, known[i]) == 0;
    EXPECT_EQ((defined >> i & 1) != 0, reported) << known[i];
  }
}

// Every feature that the device reports is a macro, so that programs can ask for it.
TEST_F(BuildOptions, definesEveryFeatureThatIsReported) {
  if (!supportsC(3, 0)) GTEST_SKIP() << "features are of OpenCL C 3.0";
  const auto features = infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_FEATURES);
  EXPECT_FALSE(features.empty());
  for (const cl_name_version& each : features) {
    const std::string macro = each.name;
    EXPECT_EQ(value("X", "-cl-std=CL3.0", "#ifdef " + macro + "\n#define X 1\n#else\n#define X 0\n#endif"), 1) << macro;
  }
}

TEST_F(BuildOptions, definesTheMacrosOfTheDevice) {
  EXPECT_EQ(value("__ENDIAN_LITTLE__", ""), 1);
  EXPECT_EQ(value("cl_khr_fp64 + cl_khr_byte_addressable_store + cl_khr_global_int32_base_atomics", ""), 3);
  EXPECT_EQ(value("X", "", "#ifdef __IMAGE_SUPPORT__\n#define X 1\n#else\n#define X 0\n#endif"), 1)
      << "images are not supported";
}

TEST_F(BuildOptions, mathOptionsDoWhatTheySay) {
  const std::string fast = "#ifdef __FAST_RELAXED_MATH__\n#define X 1\n#else\n#define X 0\n#endif";
  EXPECT_EQ(value("X", "-cl-fast-relaxed-math", fast), 1);
  EXPECT_EQ(value("X", "", fast), 0);
  EXPECT_EQ(value("sizeof(1.0)", "-cl-single-precision-constant"), 4);
  EXPECT_EQ(value("sizeof(1.0)", ""), 8);
}

TEST_F(BuildOptions, warningOptionsDoWhatTheySay) {
  // A warning that clang gives without being asked.
  const char* text = "kernel void k(global int* r) {\n#warning look_here\n  *r = 1;\n}\n";
  EXPECT_SUCCESS(errorOf("", text));
  EXPECT_NE(buildLog(last).find("look_here"), std::string::npos)
      << "a good build keeps its warnings: " << buildLog(last);
  EXPECT_SUCCESS(errorOf("-w", text));
  EXPECT_EQ(buildLog(last).find("look_here"), std::string::npos) << buildLog(last);
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, errorOf("-Werror", text));
  EXPECT_NE(buildLog(last).find("look_here"), std::string::npos) << buildLog(last);
}

// The options are not valid; the notification says which.
TEST_F(BuildOptions, invalidBuildOptions) {
  EXPECT_CL(CL_INVALID_BUILD_OPTIONS, errorOf("-no-such-option"));
  EXPECT_TRUE(wasNotified("-no-such-option")) << allNotified();
  for (const char* each : {"-cl-no-such-option", "-cl-std=CL9.9", "-cl-std=", "-cl-std", "-D", "-I", "-DN=1 -D",
                           "stray", "-D N=1 stray", "-DN=\"open", "-DN='open", "--help", "-o file", "-c"})
    EXPECT_CL(CL_INVALID_BUILD_OPTIONS, errorOf(each)) << "'" << each << "'";
}

// Options that reach into the compiler or name files to be written are not among the options.
TEST_F(BuildOptions, invalidBuildOptionsOfTheCompilerInside) {
  for (const char* each : {"-Xclang -ast-dump", "-mllvm -debug", "-fplugin=/tmp/x.so", "-load /tmp/x.so", "-emit-llvm",
                           "-include-pch x", "@/etc/passwd"})
    EXPECT_CL(CL_INVALID_BUILD_OPTIONS, errorOf(each)) << "'" << each << "'";
}

// After options that are not valid the program is built with good ones.
TEST_F(BuildOptions, recoversFromInvalidBuildOptions) {
  cl_program program = source("kernel void value(global int* r) { *r = 3; }");
  EXPECT_CL(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 1, &device, "-no-such-option", nullptr, nullptr));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "-DN=1", nullptr, nullptr));
  EXPECT_EQ(valueOf(program), 3);
}

}  // namespace
}  // namespace clarity::test

// SPDX-License-Identifier: Apache-2.0
// This file tests clGetProgramBuildInfo (OpenCL 3.0, section 5.8.8).
#include "fixture.h"

namespace clarity::test {
namespace {

struct GetProgramBuildInfo : OpenCL {
  /// The queries of a device, in the shape of the other clGet*Info.
  auto of(cl_device_id device) {
    return [device](cl_program program, cl_program_build_info name, size_t size, void* value, size_t* returned) {
      return clGetProgramBuildInfo(program, device, name, size, value, returned);
    };
  }
  void expectState(cl_program program, cl_build_status status, const std::string& options, cl_program_binary_type type,
                   std::source_location where = std::source_location::current()) {
    SCOPED_TRACE("called from line " + std::to_string(where.line()));
    EXPECT_EQ(infoOf<cl_build_status>(of(device), program, CL_PROGRAM_BUILD_STATUS), status);
    EXPECT_EQ(infoStringOf(of(device), program, CL_PROGRAM_BUILD_OPTIONS), options);
    EXPECT_EQ(infoOf<cl_program_binary_type>(of(device), program, CL_PROGRAM_BINARY_TYPE), type);
  }
  static constexpr const char* kSource = "kernel void value(global int* r) { *r = N; }";
};

// The state is that of what was performed last: nothing, a build, a compilation, a link; good or not.
TEST_F(GetProgramBuildInfo, tellsTheLastState) {
  cl_program program = source(kSource);
  expectState(program, CL_BUILD_NONE, "", CL_PROGRAM_BINARY_TYPE_NONE);
  EXPECT_EQ(infoStringOf(of(device), program, CL_PROGRAM_BUILD_LOG), "");
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "-DN=1 -cl-mad-enable", nullptr, nullptr));
  expectState(program, CL_BUILD_SUCCESS, "-DN=1 -cl-mad-enable", CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, nullptr, "-DN=wrong", nullptr, nullptr));
  expectState(program, CL_BUILD_ERROR, "-DN=wrong", CL_PROGRAM_BINARY_TYPE_NONE);
  ASSERT_SUCCESS(clCompileProgram(program, 0, nullptr, "-DN=2", 0, nullptr, nullptr, nullptr, nullptr));
  expectState(program, CL_BUILD_SUCCESS, "-DN=2", CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  cl_program library = created([&](cl_int* e) {
    return clLinkProgram(context, 0, nullptr, "-create-library", 1, &program, nullptr, nullptr, e);
  });
  expectState(library, CL_BUILD_SUCCESS, "-create-library", CL_PROGRAM_BINARY_TYPE_LIBRARY);
  cl_program linked = created([&](cl_int* e) {
    return clLinkProgram(context, 0, nullptr, "-cl-finite-math-only", 1, &program, nullptr, nullptr, e);
  });
  expectState(linked, CL_BUILD_SUCCESS, "-cl-finite-math-only", CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
}

// No options are the empty string.
TEST_F(GetProgramBuildInfo, tellsNoOptions) {
  cl_program program = source("kernel void none() {}");
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  expectState(program, CL_BUILD_SUCCESS, "", CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
}

TEST_F(GetProgramBuildInfo, hasALog) {
  cl_program program = source("#error words_of_the_log\n");
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  EXPECT_NE(infoStringOf(of(device), program, CL_PROGRAM_BUILD_LOG).find("words_of_the_log"), std::string::npos);
}

// Constants are no variables of the global address space.
TEST_F(GetProgramBuildInfo, countsGlobalVariables) {
  cl_program program =
      build("constant int table[4] = {1, 2, 3, 4}; kernel void value(global int* r) { *r = table[*r]; }");
  EXPECT_EQ(infoOf<size_t>(of(device), program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE), 0U);
  if (infoOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) == 0) return;
  cl_program variables = build(
      "global int a[100]; kernel void value(global int* r) { static long b; *r = a[*r] + (int)b++; }", "-cl-std=CL3.0");
  const size_t bytes = infoOf<size_t>(of(device), variables, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE);
  EXPECT_GE(bytes, 408U);
  cl_program copy = fromBinary(binaryOf(variables));
  EXPECT_EQ(infoOf<size_t>(of(device), copy, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE), bytes);
}

// Objects and libraries use as much as they define, which is not what they only name.
TEST_F(GetProgramBuildInfo, countsGlobalVariablesOfPieces) {
  const auto bytesOf = [&](cl_program program) {
    return infoOf<size_t>(of(device), program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE);
  };
  const auto compiled = [&](const char* text) {
    cl_program program = source(text);
    EXPECT_CL(CL_SUCCESS,
              clCompileProgram(program, 0, nullptr, "-cl-std=CL3.0", 0, nullptr, nullptr, nullptr, nullptr));
    return program;
  };
  const auto linked = [&](std::vector<cl_program> parts, const char* options) {
    return created([&](cl_int* e) {
      return clLinkProgram(context, 0, nullptr, options, static_cast<cl_uint>(parts.size()), parts.data(), nullptr,
                           nullptr, e);
    });
  };
  cl_program own = compiled("global int a[100]; global long b = 3;");
  cl_program other = compiled(
      "extern global int a[100]; extern global long b; global short c = 1; constant int d[4] = {1, 2, 3, 4};"
      "kernel void value(global int* r) { *r = a[*r] + (int)b + c + d[*r % 4]; }");
  cl_program none = compiled("extern global int a[100]; int at(int i) { return a[i]; }");
  const size_t bytes = bytesOf(own);
  EXPECT_GE(bytes, 408U);
  EXPECT_LE(bytes, 512U);
  EXPECT_EQ(bytesOf(other), 2U);
  EXPECT_EQ(bytesOf(none), 0U);
  EXPECT_EQ(bytesOf(fromBinary(binaryOf(own))), bytes);
  cl_program library = linked({own, none}, "-create-library");
  EXPECT_EQ(bytesOf(library), bytes);
  EXPECT_GE(bytesOf(linked({library, other}, "")), bytes + 2);
}

TEST_F(GetProgramBuildInfo, sizesAreChecked) {
  cl_program program = build("kernel void none() {}", "-cl-mad-enable");
  expectSizesChecked(of(device), program, CL_PROGRAM_BUILD_STATUS, sizeof(cl_build_status));
  expectSizesChecked(of(device), program, CL_PROGRAM_BUILD_OPTIONS, sizeof "-cl-mad-enable");
  expectSizesChecked(of(device), program, CL_PROGRAM_BUILD_LOG);
  expectSizesChecked(of(device), program, CL_PROGRAM_BINARY_TYPE, sizeof(cl_program_binary_type));
  expectSizesChecked(of(device), program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(size_t));
}

// program is not a valid program.
TEST_F(GetProgramBuildInfo, invalidProgram) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_PROGRAM, clGetProgramBuildInfo(nullptr, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PROGRAM,
            driver->clGetProgramBuildInfo(nullptr, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PROGRAM,
            clGetProgramBuildInfo(notAnObject<cl_program>(), device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
}

// device is not one of the program's.
TEST_F(GetProgramBuildInfo, invalidDevice) {
  cl_program program = source("kernel void none() {}");
  size_t size = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_DEVICE,
            clGetProgramBuildInfo(program, notAnObject<cl_device_id>(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
}

// A sub-device that is not of the context is not of the program.
TEST_F(GetProgramBuildInfo, invalidDeviceOfAnotherContext) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property partition[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  ASSERT_SUCCESS(clCreateSubDevices(device, partition, 1, &part, nullptr));
  keep(part);
  size_t size = 0;
  EXPECT_CL(CL_INVALID_DEVICE, clGetProgramBuildInfo(source(""), part, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
}

// param_name is not one of the supported values.
TEST_F(GetProgramBuildInfo, invalidValue) {
  cl_program program = source("kernel void none() {}");
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, CL_PROGRAM_SOURCE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

}  // namespace
}  // namespace clarity::test

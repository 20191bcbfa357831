// SPDX-License-Identifier: Apache-2.0
// This file tests clGetProgramInfo (OpenCL 3.0, section 5.8.8).
#include "fixture.h"

#include <set>
#include <sstream>

namespace clarity::test {
namespace {

constexpr const char* kInfoSource = "kernel void first(global int* r) { *r = 1; }\nkernel void second(float a) {}\n";

struct GetProgramInfo : OpenCL {
  std::set<std::string> kernelNames(cl_program program) {
    std::istringstream list(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES));
    std::set<std::string> names;
    for (std::string name; std::getline(list, name, ';');) EXPECT_TRUE(names.insert(name).second) << name;
    return names;
  }
};

TEST_F(GetProgramInfo, tellsWhatItWasMadeOf) {
  cl_program program = source(kInfoSource);
  EXPECT_EQ(infoOf<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT), 1U);
  EXPECT_EQ(infoOf<cl_context>(clGetProgramInfo, program, CL_PROGRAM_CONTEXT), context);
  EXPECT_EQ(infoOf<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES), 1U);
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetProgramInfo, program, CL_PROGRAM_DEVICES), std::vector{device});
  EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_SOURCE), kInfoSource);
}

// Kernels are no references of the application to their program.
TEST_F(GetProgramInfo, countsOnlyTheApplicationsReferences) {
  cl_program program = build(kInfoSource);
  kernel(program, "first");
  EXPECT_EQ(infoOf<cl_uint>(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT), 1U);
}

TEST_F(GetProgramInfo, tellsItsKernels) {
  cl_program program = build(kInfoSource);
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 2U);
  EXPECT_EQ(kernelNames(program), (std::set<std::string>{"first", "second"}));
  EXPECT_EQ(infoOf<cl_bool>(clGetProgramInfo, program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), cl_bool{CL_FALSE});
  EXPECT_EQ(infoOf<cl_bool>(clGetProgramInfo, program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), cl_bool{CL_FALSE});
}

TEST_F(GetProgramInfo, tellsTheKernelsOfABinary) {
  cl_program program = fromBinary(binaryOf(build(kInfoSource)));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 2U);
  EXPECT_EQ(kernelNames(program), (std::set<std::string>{"first", "second"}));
}

// The source of a program from a binary is nothing, or that source if the binary holds it.
TEST_F(GetProgramInfo, sourceOfABinary) {
  const std::string text = infoStringOf(clGetProgramInfo, fromBinary(binaryOf(build(kInfoSource))), CL_PROGRAM_SOURCE);
  EXPECT_EQ(text, "");
}

// Programs that come from no intermediate language have none.
TEST_F(GetProgramInfo, hasNoIL) {
  size_t size = 99;
  unsigned char byte = 0xA5;
  EXPECT_SUCCESS(clGetProgramInfo(source(kInfoSource), CL_PROGRAM_IL, 1, &byte, &size));
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(byte, 0xA5);
}

// Before it is built a program has no binary: its size is 0, and none is copied.
TEST_F(GetProgramInfo, hasNoBinaryBeforeTheBuild) {
  cl_program program = source(kInfoSource);
  EXPECT_EQ(infoVectorOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES), std::vector<size_t>{0});
  unsigned char byte = 0xA5;
  unsigned char* start = &byte;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start, static_cast<void*>(&start), nullptr));
  EXPECT_EQ(byte, 0xA5);
}

// The binary is copied where the application's pointer says, as many bytes as CL_PROGRAM_BINARY_SIZES says; a NULL
// pointer is left out.
TEST_F(GetProgramInfo, copiesItsBinaries) {
  cl_program program = build(kInfoSource);
  const size_t size = infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
  ASSERT_GT(size, 0U);
  std::vector<unsigned char> bytes(size + 16, 0xA5);
  unsigned char* start = bytes.data();
  size_t returned = 0;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start, static_cast<void*>(&start), &returned));
  EXPECT_EQ(returned, sizeof start);
  for (size_t i = size; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], 0xA5);
  EXPECT_EQ(std::vector(bytes.begin(), bytes.begin() + long(size)), binaryOf(program)) << "the same every time";
  start = nullptr;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start, static_cast<void*>(&start), nullptr));
}

TEST_F(GetProgramInfo, sizesAreChecked) {
  cl_program program = build(kInfoSource);
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_REFERENCE_COUNT, sizeof(cl_uint));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_CONTEXT, sizeof(cl_context));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_NUM_DEVICES, sizeof(cl_uint));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_DEVICES, sizeof(cl_device_id));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_SOURCE, std::string_view(kInfoSource).size() + 1);
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_IL, 0);
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES, sizeof(size_t));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS, sizeof(size_t));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES, sizeof "first;second");
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof(cl_bool));
  expectSizesChecked(clGetProgramInfo, program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof(cl_bool));
  unsigned char* start = nullptr;
  EXPECT_CL(CL_INVALID_VALUE,
            clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start - 1, static_cast<void*>(&start), nullptr));
}

// program is not a valid program.
TEST_F(GetProgramInfo, invalidProgram) {
  size_t size = 0;
  EXPECT_CL(CL_INVALID_PROGRAM, clGetProgramInfo(nullptr, CL_PROGRAM_SOURCE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clGetProgramInfo(nullptr, CL_PROGRAM_SOURCE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PROGRAM, clGetProgramInfo(notAnObject<cl_program>(), CL_PROGRAM_SOURCE, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_PROGRAM,
            clGetProgramInfo(reinterpret_cast<cl_program>(device), CL_PROGRAM_SOURCE, 0, nullptr, &size));
}

// param_name is not one of the supported values.
TEST_F(GetProgramInfo, invalidValue) {
  cl_program program = source(kInfoSource);
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramInfo(program, 0, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
  EXPECT_CL(CL_INVALID_VALUE, clGetProgramInfo(program, 0x7777, 0, nullptr, &size));
  EXPECT_TRUE(wasNotifiedOf(0x7777)) << allNotified();
}

// Kernels are asked for, and no executable has been built. The same holds for constructors and destructors, but where
// no device has any the answer may always be "none".
TEST_F(GetProgramInfo, invalidProgramExecutable) {
  cl_program fresh = source(kInfoSource);
  cl_program failed = source("this is no program");
  clBuildProgram(failed, 0, nullptr, "", nullptr, nullptr);
  cl_program object = source(kInfoSource);
  ASSERT_SUCCESS(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  for (cl_program program : {fresh, failed, object}) {
    size_t size = 0;
    EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 0, nullptr, &size));
    EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size));
    for (cl_program_info name : {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT}) {
      cl_bool present = CL_TRUE;
      const cl_int error = clGetProgramInfo(program, name, sizeof present, &present, nullptr);
      if (error == CL_SUCCESS)
        EXPECT_EQ(present, cl_bool{CL_FALSE});
      else
        EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, error);
    }
  }
}

}  // namespace
}  // namespace clarity::test

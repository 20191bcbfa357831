// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithSource (OpenCL 3.0, section 5.8.1).
#include "fixture.h"

namespace clarity::test {
namespace {

struct CreateProgramWithSource : OpenCL {
  std::string sourceOf(cl_program of) { return infoStringOf(clGetProgramInfo, of, CL_PROGRAM_SOURCE); }
  cl_program from(const std::vector<const char*>& strings, const size_t* lengths) {
    return created([&](cl_int* e) {
      return clCreateProgramWithSource(context, cl_uint(strings.size()), const_cast<const char**>(strings.data()),
                                       lengths, e);
    });
  }
};

TEST_F(CreateProgramWithSource, joinsItsStrings) {
  const std::vector<const char*> strings{"kernel void ", "first", "(global int* a) { *a = 1; }\n", ""};
  cl_program program = from(strings, nullptr);
  EXPECT_EQ(sourceOf(program), "kernel void first(global int* a) { *a = 1; }\n");
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_NE(kernel(program, "first"), nullptr);
}

// A length that is 0 means a string that ends with a zero; other lengths need none and may end before it.
TEST_F(CreateProgramWithSource, takesLengths) {
  const std::vector<const char*> strings{"kernel void cutXXXX", "(global int* a)", "{ *a = 2; } garbage"};
  const size_t lengths[] = {15, 0, 11};
  cl_program program = from(strings, lengths);
  EXPECT_EQ(sourceOf(program), "kernel void cut(global int* a){ *a = 2; }");
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_NE(kernel(program, "cut"), nullptr);
}

// Zeros in a string are left out of the joined source: programs often count the terminating zero.
TEST_F(CreateProgramWithSource, dropsZeros) {
  const char first[] = "kernel void zero(";
  const char second[] = "global int* a) { *a = 3; }";
  const size_t lengths[] = {sizeof first, sizeof second};
  cl_program program = from({first, second}, lengths);
  EXPECT_EQ(sourceOf(program), "kernel void zero(global int* a) { *a = 3; }");
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_NE(kernel(program, "zero"), nullptr);
}

TEST_F(CreateProgramWithSource, copiesItsStrings) {
  std::string text = "kernel void copied(global int* a) { *a = 4; }";
  const std::string before = text;
  cl_program program = from({text.c_str()}, nullptr);
  text.assign(text.size(), '#');
  EXPECT_EQ(sourceOf(program), before);
  EXPECT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
}

TEST_F(CreateProgramWithSource, needsNoPlaceForTheError) {
  const char* text = "kernel void none() {}";
  EXPECT_NE(keep(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr)), nullptr);
}

// The source is looked at when it is built.
TEST_F(CreateProgramWithSource, takesAnything) {
  EXPECT_NE(source("this is no OpenCL C"), nullptr);
  EXPECT_NE(source(""), nullptr);
}

// context is not a valid context.
TEST_F(CreateProgramWithSource, invalidContext) {
  const char* text = "";
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) { return clCreateProgramWithSource(nullptr, 1, &text, nullptr, e); });
  expectFails(CL_INVALID_CONTEXT,
              [&](cl_int* e) { return driver->clCreateProgramWithSource(nullptr, 1, &text, nullptr, e); });
  expectFails(CL_INVALID_CONTEXT,
              [&](cl_int* e) { return clCreateProgramWithSource(notAnObject<cl_context>(), 1, &text, nullptr, e); });
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) {
    return clCreateProgramWithSource(reinterpret_cast<cl_context>(device), 1, &text, nullptr, e);
  });
}

// count is 0, or strings or one of them is NULL.
TEST_F(CreateProgramWithSource, invalidValue) {
  const char* text = "";
  const char* missing[] = {"", nullptr};
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateProgramWithSource(context, 0, &text, nullptr, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateProgramWithSource(context, 1, nullptr, nullptr, e); });
  expectFails(CL_INVALID_VALUE, [&](cl_int* e) { return clCreateProgramWithSource(context, 2, missing, nullptr, e); });
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

}  // namespace
}  // namespace clarity::test

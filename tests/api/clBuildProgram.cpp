// SPDX-License-Identifier: Apache-2.0
// This file tests clBuildProgram (OpenCL 3.0, section 5.8.5): its errors, callbacks and what it leaves behind. Options
// and sources have files of their own. CL_COMPILER_NOT_AVAILABLE cannot be provoked: a compiler is there. Nor can
// CL_INVALID_OPERATION for a build that is under way, which no test can hold still.
#include "build_callback.h"

#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <thread>

namespace clarity::test {
namespace {

constexpr const char* kGood = "kernel void value(global int* r) { *r = 5; }";
constexpr const char* kBad = "kernel void value(global int* r) {\n  *r = undeclared_thing;\n}\n";

struct BuildProgram : OpenCL {
  cl_int build(cl_program program, const char* options = "") {
    return clBuildProgram(program, 1, &device, options, nullptr, nullptr);
  }
  cl_build_status statusOf(cl_program program) {
    cl_build_status status = 1;
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, nullptr));
    return status;
  }
};

TEST_F(BuildProgram, buildsForEveryDeviceByDefault) {
  cl_program program = source(kGood);
  EXPECT_EQ(statusOf(program), CL_BUILD_NONE);
  EXPECT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(statusOf(program), CL_BUILD_SUCCESS);
  EXPECT_EQ(valueOf(program), 5);
}

// A program is built again with other options; the last build is the one that runs.
TEST_F(BuildProgram, buildsAgain) {
  cl_program program = source("kernel void value(global int* r) { *r = N; }");
  for (int n : {1, 2, 3}) {
    ASSERT_SUCCESS(build(program, ("-DN=" + std::to_string(n)).c_str()));
    EXPECT_EQ(valueOf(program), n);
  }
}

// A failed build leaves no executable and a log; a good one after it leaves neither error nor old log.
TEST_F(BuildProgram, recoversFromAFailedBuild) {
  cl_program program = source("kernel void value(global int* r) { *r = N; }");
  ASSERT_SUCCESS(build(program, "-DN=1"));
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build(program, "-DN=undeclared_thing"));
  EXPECT_EQ(statusOf(program), CL_BUILD_ERROR);
  EXPECT_NE(buildLog(program).find("undeclared_thing"), std::string::npos) << buildLog(program);
  expectFails(CL_INVALID_PROGRAM_EXECUTABLE, [&](cl_int* e) { return clCreateKernel(program, "value", e); });
  ASSERT_SUCCESS(build(program, "-DN=2"));
  EXPECT_EQ(statusOf(program), CL_BUILD_SUCCESS);
  EXPECT_EQ(buildLog(program).find("undeclared_thing"), std::string::npos) << buildLog(program);
  EXPECT_EQ(valueOf(program), 2);
}

TEST_F(BuildProgram, callsBackOnce) {
  cl_program program = source(kGood);
  BuildCallback done(device);
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, "", &BuildCallback::call, &done));
  done.wait();
  EXPECT_EQ(done.seen, program);
  EXPECT_EQ(done.status, CL_BUILD_SUCCESS) << "the state is to be seen from the callback";
  EXPECT_EQ(valueOf(program), 5);
  EXPECT_EQ(done.calls, 1);
}

// A failed build calls back too, whether or not the call has waited for it.
TEST_F(BuildProgram, callsBackAfterAFailure) {
  cl_program program = source(kBad);
  BuildCallback done(device);
  const cl_int error = clBuildProgram(program, 1, &device, "", &BuildCallback::call, &done);
  EXPECT_TRUE(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE) << errorName(error);
  done.wait();
  EXPECT_EQ(done.status, CL_BUILD_ERROR);
  EXPECT_EQ(done.calls, 1);
}

// The callback needs no user data.
TEST_F(BuildProgram, callsBackWithoutUserData) {
  static std::atomic<int> calls;
  calls = 0;
  cl_program program = source(kGood);
  ASSERT_SUCCESS(clBuildProgram(
      program, 1, &device, "",
      [](cl_program /*program*/, void* data) {
        calls += data == nullptr ? 1 : 100;
        calls.notify_all();
      },
      nullptr));
  calls.wait(0);
  EXPECT_EQ(calls, 1);
}

TEST_F(BuildProgram, buildsInManyThreads) {
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        const std::string text =
            "kernel void k" + std::to_string(t * 5 + i) + "(global float* a) { a[get_global_id(0)] *= 2.0f; }";
        const char* start = text.c_str();
        cl_program program = clCreateProgramWithSource(context, 1, &start, nullptr, nullptr);
        if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS) ++good;
        clReleaseProgram(program);
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(good, 20);
}

// Programs that probe a device build hundreds of kernels in a row.
TEST_F(BuildProgram, buildsHundredsInARow) {
  for (int i = 0; i < 200; ++i) {
    const std::string text = "kernel void value(global int* r) { *r = " + std::to_string(i) + "; }";
    const char* start = text.c_str();
    cl_program program = clCreateProgramWithSource(context, 1, &start, nullptr, nullptr);
    ASSERT_NE(program, nullptr);
    EXPECT_SUCCESS(build(program));
    if (i % 50 == 49) EXPECT_EQ(valueOf(program), i);
    EXPECT_SUCCESS(clReleaseProgram(program));
  }
}

// Applications that reap their children must find none of the driver's.
TEST_F(BuildProgram, startsNoChildProcess) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer's symbolizer is a child of the process";
#endif
  ASSERT_SUCCESS(build(source(kGood)));
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

// program is not a valid program.
TEST_F(BuildProgram, invalidProgram) {
  EXPECT_CL(CL_INVALID_PROGRAM, build(nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, driver->clBuildProgram(nullptr, 1, &device, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_PROGRAM, build(notAnObject<cl_program>()));
  EXPECT_CL(CL_INVALID_PROGRAM, build(reinterpret_cast<cl_program>(context)));
}

// The list of devices and its length disagree, or user data has no callback.
TEST_F(BuildProgram, invalidValue) {
  cl_program program = source(kGood);
  EXPECT_CL(CL_INVALID_VALUE, clBuildProgram(program, 1, nullptr, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clBuildProgram(program, 1, &device, "", nullptr, this));
  EXPECT_EQ(statusOf(program), CL_BUILD_NONE);
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

// A device of the list is not one of the program.
TEST_F(BuildProgram, invalidDevice) {
  cl_program program = source(kGood);
  for (cl_device_id wrong :
       {cl_device_id{nullptr}, notAnObject<cl_device_id>(), reinterpret_cast<cl_device_id>(context)})
    EXPECT_CL(CL_INVALID_DEVICE, clBuildProgram(program, 1, &wrong, "", nullptr, nullptr));
  const cl_device_id two[] = {device, notAnObject<cl_device_id>()};
  EXPECT_CL(CL_INVALID_DEVICE, clBuildProgram(program, 2, two, "", nullptr, nullptr));
}

// An object or a library is no executable; with an executable's binary CL_INVALID_BINARY is said at the creation.
TEST_F(BuildProgram, invalidBinary) {
  cl_program part = source("int part(int a) { return a; }");
  ASSERT_SUCCESS(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_program library = created(
      [&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "-create-library", 1, &part, nullptr, nullptr, e); });
  EXPECT_CL(CL_INVALID_BINARY, clBuildProgram(fromBinary(binaryOf(library)), 0, nullptr, "", nullptr, nullptr));
}

// The program does not build; what is wrong is in the log and in the notification.
TEST_F(BuildProgram, buildProgramFailure) {
  cl_program program = source(kBad);
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, build(program));
  EXPECT_EQ(statusOf(program), CL_BUILD_ERROR);
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

// Kernels of the program are there; when they are gone it can be built again.
TEST_F(BuildProgram, invalidOperationWithKernels) {
  cl_program program = source(kGood);
  ASSERT_SUCCESS(build(program));
  cl_kernel first = clCreateKernel(program, "value", nullptr);
  cl_kernel second = clCreateKernel(program, "value", nullptr);
  ASSERT_TRUE(first && second);
  EXPECT_CL(CL_INVALID_OPERATION, build(program));
  EXPECT_SUCCESS(clReleaseKernel(first));
  EXPECT_CL(CL_INVALID_OPERATION, build(program));
  EXPECT_SUCCESS(clReleaseKernel(second));
  EXPECT_SUCCESS(build(program));
}

// The program was made by a link: it has neither source nor binary to build from.
TEST_F(BuildProgram, invalidOperationOfALinkedProgram) {
  cl_program object = source(kGood);
  ASSERT_SUCCESS(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &object, nullptr, nullptr, e); });
  EXPECT_CL(CL_INVALID_OPERATION, build(linked));
  EXPECT_EQ(valueOf(linked), 5);
}

}  // namespace
}  // namespace clarity::test

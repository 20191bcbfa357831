// SPDX-License-Identifier: Apache-2.0
// This file finds the platform under test and makes and releases the objects of the fixture.
#include "fixture.h"

#include "support/command_buffer_types.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace clarity::test {
namespace {

/// Tests that start this program again name the test that the new process runs: it must not be one of many shards.
struct ChildrenAreNoShards : ::testing::Environment {
  void SetUp() override {
    unsetenv("GTEST_TOTAL_SHARDS");
    unsetenv("GTEST_SHARD_INDEX");
  }
};
[[maybe_unused]] const auto* const childrenAreNoShards = ::testing::AddGlobalTestEnvironment(new ChildrenAreNoShards);

}  // namespace
namespace {

/// The name of the platform under test; another one is named to try the tests themselves on it.
std::string wantedPlatform() {
  const char* name = std::getenv("CLARITY_TEST_PLATFORM");
  return name != nullptr ? name : "Clarity";
}

cl_platform_id findPlatform() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return nullptr;
  std::vector<cl_platform_id> platforms(count);
  if (clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return nullptr;
  for (cl_platform_id each : platforms)
    if (infoStringOf(clGetPlatformInfo, each, CL_PLATFORM_NAME) == wantedPlatform()) return each;
  return nullptr;
}

}  // namespace

std::string errorName(cl_int code) {
  static const std::map<cl_int, std::string> names{
#define CLARITY_ERROR(code) {code, #code},
#include "support/errors.def"
#undef CLARITY_ERROR
  };
  const auto found = names.find(code);
  return found != names.end() ? found->second : "error " + std::to_string(code);
}

testing::AssertionResult sameError(const char* /*wantedText*/, const char* callText, cl_int wanted, cl_int got) {
  if (wanted == got) return testing::AssertionSuccess();
  return testing::AssertionFailure() << callText << "\n  returned " << errorName(got) << "\n  wanted   "
                                     << errorName(wanted);
}

void OpenCL::SetUp() {
  platform = findPlatform();
  ASSERT_NE(platform, nullptr) << "no platform is named '" << wantedPlatform() << "'";
  ASSERT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  driver = *reinterpret_cast<const cl_icd_dispatch* const*>(device);
  cl_int error = CL_SUCCESS;
  context = clCreateContext(nullptr, 1, &device, &OpenCL::notify, this, &error);
  ASSERT_SUCCESS(error);
  keep(context);
  queue = anotherQueue(CL_QUEUE_PROFILING_ENABLE);
  ASSERT_NE(queue, nullptr);
}

void OpenCL::TearDown() {
  // Whatever still waits for an event of the test must end before the objects go.
  for (cl_event each : userEvents_) clSetUserEventStatus(each, CL_COMPLETE);
  if (queue != nullptr) clFinish(queue);
  while (!ends_.empty()) {
    const std::function<void()> work = std::move(ends_.back());
    ends_.pop_back();
    work();
  }
}

void CL_CALLBACK OpenCL::notify(const char* text, const void* /*data*/, size_t /*bytes*/, void* fixture) {
  auto* self = static_cast<OpenCL*>(fixture);
  const std::lock_guard hold(self->notifiedLock);
  self->notified.emplace_back(text != nullptr ? text : "(null)");
}

bool OpenCL::outlivesFaults() {
  return infoOf<cl_device_type>(clGetDeviceInfo, device, CL_DEVICE_TYPE) != CL_DEVICE_TYPE_GPU ||
         infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;
}

bool OpenCL::hasAssembly() {
  return infoStringOf(clGetDeviceInfo, device, CL_DEVICE_VENDOR).find("NVIDIA") != std::string::npos;
}

bool OpenCL::wasNotified(std::string_view part) {
  const std::lock_guard hold(notifiedLock);
  for (const std::string& each : notified)
    if (each.find(part) != std::string::npos) return true;
  return false;
}

bool OpenCL::wasNotifiedOf(cl_ulong number) {
  std::array<char, 32> hexadecimal{};
  std::snprintf(hexadecimal.data(), hexadecimal.size(), "0x%llx", static_cast<unsigned long long>(number));
  return wasNotified(std::to_string(number)) || wasNotified(hexadecimal.data());
}

std::string OpenCL::allNotified() {
  const std::lock_guard hold(notifiedLock);
  std::string all = "notified " + std::to_string(notified.size()) + " sentences\n";
  for (const std::string& each : notified) all += "  " + each + "\n";
  return all;
}

cl_program OpenCL::source(const char* text) {
  cl_int error = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  EXPECT_SUCCESS(error);
  return keep(program);
}

cl_program OpenCL::build(const char* text, const char* options) { return build(std::string_view(text), options); }

cl_program OpenCL::build(std::string_view text, const char* options) {
  cl_int error = CL_SUCCESS;
  const char* start = text.data();
  const size_t length = text.size();
  cl_program program = keep(clCreateProgramWithSource(context, 1, &start, &length, &error));
  EXPECT_SUCCESS(error);
  if (program == nullptr) return nullptr;
  error = clBuildProgram(program, 1, &device, options, nullptr, nullptr);
  EXPECT_SUCCESS(error) << "options '" << options << "', build log:\n" << buildLog(program);
  return program;
}

std::string OpenCL::buildLog(cl_program program) {
  size_t size = 0;
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size));
  std::string log(size, '\0');
  if (size != 0)
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr));
  return log.c_str();
}

std::vector<unsigned char> OpenCL::binaryOf(cl_program program) {
  size_t size = 0;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  std::vector<unsigned char> binary(size);
  unsigned char* start = binary.data();
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start, static_cast<void*>(&start), nullptr));
  return binary;
}

cl_program OpenCL::fromBinary(const std::vector<unsigned char>& binary) {
  return created([&](cl_int* error) {
    const unsigned char* start = binary.data();
    const size_t size = binary.size();
    return clCreateProgramWithBinary(context, 1, &device, &size, &start, nullptr, error);
  });
}

cl_int OpenCL::valueOf(cl_program program, const char* name) {
  cl_int error = CL_SUCCESS;
  // Released at once, so that the program can be built again.
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT_SUCCESS(error) << "kernel '" << name << "'";
  if (kernel == nullptr) return 0;
  cl_mem memory = buffer(sizeof(cl_int));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof memory, &memory));
  const size_t global = 1;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  const cl_int value = read<cl_int>(memory, 1)[0];
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  return value;
}

cl_kernel OpenCL::kernel(cl_program program, const char* name) {
  cl_int error = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT_SUCCESS(error) << "kernel '" << name << "'";
  return keep(kernel);
}

cl_mem OpenCL::buffer(size_t bytes, cl_mem_flags flags, void* host) {
  cl_int error = CL_SUCCESS;
  cl_mem memory = clCreateBuffer(context, flags, bytes, host, &error);
  EXPECT_SUCCESS(error) << bytes << " bytes, flags " << flags;
  return keep(memory);
}

cl_command_queue OpenCL::anotherQueue(cl_command_queue_properties properties) {
  cl_int error = CL_SUCCESS;
  const std::array<cl_queue_properties, 3> list{CL_QUEUE_PROPERTIES, properties, 0};
  cl_command_queue created = clCreateCommandQueueWithProperties(context, device, list.data(), &error);
  EXPECT_SUCCESS(error) << "queue properties " << properties;
  return keep(created);
}

cl_context OpenCL::otherContext() {
  cl_int error = CL_SUCCESS;
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  EXPECT_SUCCESS(error);
  return keep(other);
}

cl_event OpenCL::userEvent() {
  cl_int error = CL_SUCCESS;
  cl_event event = clCreateUserEvent(context, &error);
  EXPECT_SUCCESS(error);
  if (event != nullptr) {
    // The fixture's own reference, so that the event can be completed at the end whatever the test did with its own.
    clRetainEvent(event);
    keep(event);
    userEvents_.push_back(event);
  }
  return keep(event);
}

void OpenCL::launch(cl_kernel kernel, size_t global, size_t local) {
  ASSERT_SUCCESS(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, local != 0 ? &local : nullptr, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clFinish(queue));
}

void* OpenCL::foreignMemory() {
  static std::array<const void*, 512> memory{};
  memory[0] = driver;
  return memory.data();
}

}  // namespace clarity::test

// SPDX-License-Identifier: Apache-2.0
// This file is what every test of an entry point starts from: a platform, a device, a context that keeps what it
// notifies, an in-order command-queue with profiling, and helpers whose objects live until the end of the test.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::test {

/// The standard's name of an error code ("CL_INVALID_VALUE"), or its number.
std::string errorName(cl_int code);

/// Compares an error code with the expected one and prints both by name; for EXPECT_CL and ASSERT_SUCCESS.
testing::AssertionResult sameError(const char* wantedText, const char* callText, cl_int wanted, cl_int got);

/// EXPECT_CL(CL_INVALID_VALUE, clFoo(...)): the call returns this code.
#define EXPECT_CL(code, call) EXPECT_PRED_FORMAT2(::clarity::test::sameError, code, call)
/// The same, and the test ends here when it is not so (only in functions that return void).
#define ASSERT_CL(code, call) ASSERT_PRED_FORMAT2(::clarity::test::sameError, code, call)
/// The call returns CL_SUCCESS, or the test ends here (only in functions that return void).
#define ASSERT_SUCCESS(call) ASSERT_CL(CL_SUCCESS, call)
/// The call returns CL_SUCCESS.
#define EXPECT_SUCCESS(call) EXPECT_CL(CL_SUCCESS, call)

struct OpenCL : testing::Test {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;      ///< the context of `device`; notifies into `notified`
  cl_command_queue queue = nullptr;  ///< in order, with profiling
  /// The driver's own table of entry points: what the loader calls, without the loader's checks in front.
  const cl_icd_dispatch* driver = nullptr;

  std::mutex notifiedLock;
  std::vector<std::string> notified;  ///< sentences given to the context's notify callback; guarded by notifiedLock
  /// True when a sentence that holds `part` was given to the context's notify callback.
  bool wasNotified(std::string_view part);
  /// True when a sentence holds this number, in decimal or in hexadecimal digits (0x...).
  bool wasNotifiedOf(cl_ulong number);
  /// All sentences so far, one a line, for the messages of failed expectations.
  std::string allNotified();

  /// Whether the process keeps the device when a kernel faults: a driver of a GPU refuses it from then on.
  bool outlivesFaults();
  /// Whether functions of programs may have assembly: PTX.
  bool hasAssembly();

  void SetUp() override;
  void TearDown() override;

  /// A program of `context` built for `device`; the test fails with the build log otherwise.
  cl_program build(const char* source, const char* options = "");
  /// The same, from several strings or with a source that holds zeros.
  cl_program build(std::string_view source, const char* options);
  /// A program of `context` that is not built yet.
  cl_program source(const char* text);
  cl_kernel kernel(cl_program program, const char* name);
  /// A program of one kernel, built, and that kernel.
  cl_kernel kernel(const char* source, const char* name) { return kernel(build(source), name); }
  cl_mem buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr);
  /// Another command-queue of `context` and `device`.
  cl_command_queue anotherQueue(cl_command_queue_properties properties = 0);
  /// A context of the same device that is not `context`.
  cl_context otherContext();
  /// A command-queue, program, kernel... of another context are made with the plain calls and given to keep().
  cl_event userEvent();

  /// The build log of a program for `device`.
  std::string buildLog(cl_program program);
  /// The binary of a program for `device`, which is its only device.
  std::vector<unsigned char> binaryOf(cl_program program);
  /// A program of `context` from a binary for `device`, not built yet.
  cl_program fromBinary(const std::vector<unsigned char>& binary);
  /// The value that one work-item of a kernel `name(global int* result)` stores in *result.
  cl_int valueOf(cl_program program, const char* name = "value");

  /// Hands an object to the fixture, which releases it at the end of the test; returns the object.
  template <class Object>
  Object keep(Object object) {
    if (object != nullptr) atEnd([object] { releaseObject(object); });
    return object;
  }
  /// Runs at the end of the test, before the objects that were made earlier are released.
  void atEnd(std::function<void()> work) { ends_.push_back(std::move(work)); }

  /// The object that create(cl_int* error) makes, kept; the test fails at the caller's line when it makes none.
  template <class Create>
  auto created(Create create, std::source_location where = std::source_location::current()) {
    cl_int error = CL_INVALID_VALUE;
    auto object = create(&error);
    if (error != CL_SUCCESS || object == nullptr)
      ADD_FAILURE_AT(where.file_name(), int(where.line())) << "not created: " << errorName(error);
    return keep(object);
  }
  /// Checks that create(cl_int* error) makes nothing and gives this code, and that it makes nothing without a place
  /// for the code either.
  template <class Create>
  void expectFails(cl_int code, Create create, std::source_location where = std::source_location::current()) {
    cl_int error = CL_SUCCESS;
    if (keep(create(&error)) != nullptr)
      ADD_FAILURE_AT(where.file_name(), int(where.line())) << "an object was made, wanted " << errorName(code);
    if (error != code)
      ADD_FAILURE_AT(where.file_name(), int(where.line()))
          << "gave " << errorName(error) << ", wanted " << errorName(code);
    if (keep(create(static_cast<cl_int*>(nullptr))) != nullptr)
      ADD_FAILURE_AT(where.file_name(), int(where.line())) << "an object was made when no code was asked for";
  }

  /// The first n elements of a buffer, read with a blocking call.
  template <class T>
  std::vector<T> read(cl_mem memory, size_t n) {
    std::vector<T> result(n);
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, n * sizeof(T), result.data(), 0, nullptr, nullptr));
    return result;
  }
  /// A buffer that holds a copy of these elements.
  template <class T>
  cl_mem bufferOf(const std::vector<T>& elements, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    return buffer(elements.size() * sizeof(T), flags | CL_MEM_COPY_HOST_PTR, const_cast<T*>(elements.data()));
  }
  /// Runs a kernel over `global` work-items in one dimension and waits for it.
  void launch(cl_kernel kernel, size_t global, size_t local = 0);

  /// A handle that is no object of this driver: memory that holds the driver's dispatch pointer, because loaders
  /// read it before the driver sees the handle, and zeros after it. The same memory for every type.
  template <class T>
  T notAnObject() {
    return static_cast<T>(foreignMemory());
  }

private:
  void* foreignMemory();
  static void releaseObject(cl_device_id object) { clReleaseDevice(object); }
  static void releaseObject(cl_context object) { clReleaseContext(object); }
  static void releaseObject(cl_command_queue object) { clReleaseCommandQueue(object); }
  static void releaseObject(cl_mem object) { clReleaseMemObject(object); }
  static void releaseObject(cl_program object) { clReleaseProgram(object); }
  static void releaseObject(cl_kernel object) { clReleaseKernel(object); }
  static void releaseObject(cl_event object) { clReleaseEvent(object); }
  static void releaseObject(cl_sampler object) { clReleaseSampler(object); }
  static void CL_CALLBACK notify(const char* text, const void* data, size_t bytes, void* fixture);

  std::vector<std::function<void()>> ends_;
  std::vector<cl_event> userEvents_;
};

/// One value of a clGet*Info query: infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS).
template <class T, class Function, class Object, class Name>
T infoOf(Function get, Object object, Name name) {
  T value{};
  size_t size = 0;
  EXPECT_SUCCESS(get(object, name, sizeof value, &value, &size));
  EXPECT_EQ(size, sizeof value);
  return value;
}

/// All elements of an array that a clGet*Info query returns.
template <class T, class Function, class Object, class Name>
std::vector<T> infoVectorOf(Function get, Object object, Name name) {
  size_t bytes = 0;
  EXPECT_SUCCESS(get(object, name, 0, nullptr, &bytes));
  EXPECT_EQ(bytes % sizeof(T), 0U);
  std::vector<T> values(bytes / sizeof(T));
  if (bytes != 0) EXPECT_SUCCESS(get(object, name, bytes, values.data(), nullptr));
  return values;
}

/// A string that a clGet*Info query returns; checks that it ends with its only zero.
template <class Function, class Object, class Name>
std::string infoStringOf(Function get, Object object, Name name) {
  const std::vector<char> text = infoVectorOf<char>(get, object, name);
  if (text.empty() || text.back() != '\0') {
    ADD_FAILURE() << "query " << name << " returned a string with no zero at its end";
    return {};
  }
  EXPECT_EQ(std::string_view(text.data()).size() + 1, text.size()) << "a zero inside the string of query " << name;
  return text.data();
}

/// Checks how a clGet*Info query handles sizes: asks its size alone, too little room (CL_INVALID_VALUE, nothing
/// written), exactly enough and more than enough (nothing written past the value). `wanted` is the size in bytes that
/// the standard gives, or ~0 for arrays and strings of any length.
template <class Function, class Object, class Name>
void expectSizesChecked(Function get, Object object, Name name, size_t wanted = ~size_t{0}) {
  SCOPED_TRACE("query " + std::to_string(name));
  size_t size = ~size_t{0};
  ASSERT_SUCCESS(get(object, name, 0, nullptr, &size));
  if (wanted != ~size_t{0}) EXPECT_EQ(size, wanted);
  EXPECT_SUCCESS(get(object, name, 0, nullptr, nullptr));
  constexpr unsigned char kFill = 0xA5;
  std::vector<unsigned char> room(size + 16, kFill);
  size_t returned = ~size_t{0};
  EXPECT_SUCCESS(get(object, name, size, room.data(), &returned));
  EXPECT_EQ(returned, size);
  EXPECT_SUCCESS(get(object, name, room.size(), room.data(), &returned));
  EXPECT_EQ(returned, size);
  for (size_t i = size; i < room.size(); ++i) EXPECT_EQ(room[i], kFill) << "byte " << i << " after " << size;
  if (size == 0) return;
  room.assign(room.size(), kFill);
  EXPECT_CL(CL_INVALID_VALUE, get(object, name, size - 1, room.data(), nullptr));
  for (size_t i = 0; i < room.size(); ++i) ASSERT_EQ(room[i], kFill) << "a failed query wrote byte " << i;
}

}  // namespace clarity::test

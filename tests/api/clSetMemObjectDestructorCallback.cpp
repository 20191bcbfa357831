// SPDX-License-Identifier: Apache-2.0
// This file tests clSetMemObjectDestructorCallback (OpenCL 3.0, section 5.5.1).
#include "enqueue_checks.h"

namespace clarity::test {
namespace {

struct SetMemObjectDestructorCallback : OpenCL {
  struct Call {
    std::vector<std::pair<int, cl_mem>>* log;
    int number;
  };
  std::vector<std::pair<int, cl_mem>> log;
  static void CL_CALLBACK note(cl_mem memory, void* data) {
    auto* call = static_cast<Call*>(data);
    call->log->emplace_back(call->number, memory);
  }
};

TEST_F(SetMemObjectDestructorCallback, calledLastRegisteredFirst) {
  Call calls[] = {{&log, 1}, {&log, 2}, {&log, 3}};
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  for (Call& each : calls) ASSERT_SUCCESS(clSetMemObjectDestructorCallback(memory, &note, &each));
  EXPECT_TRUE(log.empty());
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  const std::vector<std::pair<int, cl_mem>> wanted{{3, memory}, {2, memory}, {1, memory}};
  EXPECT_EQ(log, wanted);
}

TEST_F(SetMemObjectDestructorCallback, theHostMemoryCanBeFreedInIt) {
  auto* host = new std::vector<unsigned char>(1 << 16, 3);
  cl_mem memory = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, host->size(), host->data(), nullptr);
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(
      memory, [](cl_mem, void* data) { delete static_cast<std::vector<unsigned char>*>(data); }, host));
  const unsigned char pattern = 9;
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, memory, &pattern, 1, 0, 1 << 16, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  ASSERT_SUCCESS(clFinish(queue));
}

TEST_F(SetMemObjectDestructorCallback, userDataMayBeNull) {
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  static void* seen = &log;
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(memory, [](cl_mem, void* data) { seen = data; }, nullptr));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_EQ(seen, nullptr);
}

TEST_F(SetMemObjectDestructorCallback, aSubBufferGoesBeforeItsBuffer) {
  Call ofBuffer{&log, 1};
  Call ofPart{&log, 2};
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, nullptr);
  const cl_buffer_region region{0, 64};
  cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(memory, &note, &ofBuffer));
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(part, &note, &ofPart));
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_TRUE(log.empty());
  ASSERT_SUCCESS(clReleaseMemObject(part));
  const std::vector<std::pair<int, cl_mem>> wanted{{2, part}, {1, memory}};
  EXPECT_EQ(log, wanted);
}

// memobj is not a memory object.
TEST_F(SetMemObjectDestructorCallback, invalidMemObject) {
  Call call{&log, 1};
  for (const auto& bad : badHandles<cl_mem>(*this))
    EXPECT_CL(CL_INVALID_MEM_OBJECT, driver->clSetMemObjectDestructorCallback(bad.handle, &note, &call)) << bad.what;
}

// pfn_notify is NULL.
TEST_F(SetMemObjectDestructorCallback, invalidValue) {
  EXPECT_CL(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer(16), nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test

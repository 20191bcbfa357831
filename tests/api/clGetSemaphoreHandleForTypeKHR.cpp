// SPDX-License-Identifier: Apache-2.0
// This file tests clGetSemaphoreHandleForTypeKHR (cl_khr_external_semaphore, cl_khr_external_semaphore_opaque_fd):
// semaphores that are exported and imported, in this process and in another one, and every error.
#include "semaphore_fixture.h"
#include "watched_child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif

namespace clarity::test {
namespace {

using SemaphoreProperties = std::vector<cl_semaphore_properties_khr>;
using HandleType = cl_external_semaphore_handle_type_khr;
constexpr HandleType kFd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;

struct GetSemaphoreHandleForType : SemaphoreTest {
  api::cl_api_clGetSemaphoreHandleForTypeKHR get = nullptr;
  cl_semaphore_khr exported = nullptr;

  void SetUp() override {
    SemaphoreTest::SetUp();
    if (HasFatalFailure()) return;
    get = reinterpret_cast<decltype(get)>(
        clGetExtensionFunctionAddressForPlatform(platform, "clGetSemaphoreHandleForTypeKHR"));
    ASSERT_NE(get, nullptr);
    exported = with({CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, kFd, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR});
  }
  static SemaphoreProperties complete(const SemaphoreProperties& more) {
    SemaphoreProperties properties{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR};
    properties.insert(properties.end(), more.begin(), more.end());
    properties.push_back(0);
    return properties;
  }
  cl_semaphore_khr with(const SemaphoreProperties& more, cl_context of = nullptr) {
    cl_int error = CL_INVALID_VALUE;
    cl_semaphore_khr made = clCreateSemaphoreWithPropertiesKHR(of ? of : context, complete(more).data(), &error);
    EXPECT_SUCCESS(error);
    if (made) atEnd([this, made] { clReleaseSemaphoreKHR(made); });
    return made;
  }
  cl_int errorOf(const SemaphoreProperties& more) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateSemaphoreWithPropertiesKHR(context, complete(more).data(), &error), nullptr);
    return error;
  }
  static cl_semaphore_properties_khr value(int descriptor) {
    return static_cast<cl_semaphore_properties_khr>(descriptor);
  }
  int descriptor() {
    int handle = -1;
    size_t size = 0;
    EXPECT_SUCCESS(get(exported, device, kFd, sizeof handle, &handle, &size));
    EXPECT_EQ(size, sizeof handle);
    EXPECT_GE(handle, 0);
    return handle;
  }
  cl_int handleOf(cl_semaphore_khr it, cl_device_id of) {
    int handle = -1;
    return get(it, of, kFd, sizeof handle, &handle, nullptr);
  }
  void signal(cl_semaphore_khr it, cl_command_queue on) {
    EXPECT_SUCCESS(clEnqueueSignalSemaphoresKHR(on, 1, &it, nullptr, 0, nullptr, nullptr));
    EXPECT_SUCCESS(clFlush(on));
  }
  cl_event wait(cl_semaphore_khr it, cl_command_queue on) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueWaitSemaphoresKHR(on, 1, &it, nullptr, 0, nullptr, &event));
    EXPECT_SUCCESS(clFlush(on));
    return keep(event);
  }
  cl_int statusOf(cl_event event) { return infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS); }
  cl_semaphore_payload_khr payloadOf(cl_semaphore_khr it) {
    return infoOf<cl_semaphore_payload_khr>(clGetSemaphoreInfoKHR, it, CL_SEMAPHORE_PAYLOAD_KHR);
  }
};

TEST_F(GetSemaphoreHandleForType, isReported) {
  const std::string names = " " + infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS) + " ";
  EXPECT_NE(names.find(" cl_khr_external_semaphore "), std::string::npos);
  EXPECT_NE(names.find(" cl_khr_external_semaphore_opaque_fd "), std::string::npos);
  const std::vector<HandleType> types{kFd};
  for (cl_platform_info name :
       {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
    EXPECT_EQ(infoVectorOf<HandleType>(clGetPlatformInfo, platform, name), types);
  for (cl_device_info name : {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR})
    EXPECT_EQ(infoVectorOf<HandleType>(clGetDeviceInfo, device, name), types);
}

TEST_F(GetSemaphoreHandleForType, semaphoresTellWhatTheyExport) {
  EXPECT_EQ(infoOf<cl_bool>(clGetSemaphoreInfoKHR, exported, CL_SEMAPHORE_EXPORTABLE_KHR), cl_bool{CL_TRUE});
  EXPECT_EQ(infoOf<cl_bool>(clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_EXPORTABLE_KHR), cl_bool{CL_FALSE});
  EXPECT_EQ(infoVectorOf<HandleType>(clGetSemaphoreInfoKHR, exported, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR),
            std::vector<HandleType>{kFd});
  EXPECT_TRUE(infoVectorOf<HandleType>(clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR).empty());
}

// Signals of the one end waits for the other, in both directions, in either order, several times.
TEST_F(GetSemaphoreHandleForType, importsInThisProcess) {
  cl_context other = otherContext();
  cl_command_queue its =
      created([&](cl_int* e) { return clCreateCommandQueueWithProperties(other, device, nullptr, e); });
  cl_semaphore_khr imported = with({kFd, value(descriptor())}, other);
  for (int i = 0; i < 3; ++i) {
    signal(exported, queue);
    ASSERT_SUCCESS(clFinish(queue));
    EXPECT_EQ(payloadOf(imported), 1U);
    cl_event first = wait(imported, its);
    EXPECT_SUCCESS(clWaitForEvents(1, &first));
    EXPECT_EQ(payloadOf(exported), 0U);
    cl_event second = wait(exported, queue);
    EXPECT_GT(statusOf(second), CL_COMPLETE);
    signal(imported, its);
    EXPECT_SUCCESS(clWaitForEvents(1, &second));
    EXPECT_EQ(statusOf(second), CL_COMPLETE);
  }
}

// Two imports and the semaphore itself are one: a signal ends one wait.
TEST_F(GetSemaphoreHandleForType, allImportsAreOne) {
  cl_semaphore_khr a = with({kFd, value(descriptor())}), b = with({kFd, value(descriptor())});
  cl_event waits[] = {wait(a, queue), wait(b, second)};
  signal(exported, anotherQueue());
  const auto ended = [&](int i) { return statusOf(waits[i]) == CL_COMPLETE; };
  while (!ended(0) && !ended(1)) usleep(100);
  EXPECT_NE(ended(0), ended(1));
  signal(a, anotherQueue());
  EXPECT_SUCCESS(clWaitForEvents(2, waits));
}

// The command after a wait sees what was written before the signal of another process.
TEST_F(GetSemaphoreHandleForType, importsInAnotherProcess) {
  if (!outlivesFaults()) GTEST_SKIP() << "a forked process cannot use the device's driver";
  int toChild[2], fromChild[2];
  ASSERT_EQ(pipe(toChild), 0);
  ASSERT_EQ(pipe(fromChild), 0);
  const int handle = descriptor();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // A context of its own; what goes wrong is its exit status.
    cl_int error = CL_SUCCESS;
    cl_context own = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    if (!own) _exit(2);
    cl_command_queue commands = clCreateCommandQueueWithProperties(own, device, nullptr, &error);
    cl_semaphore_khr its = clCreateSemaphoreWithPropertiesKHR(own, complete({kFd, value(handle)}).data(), &error);
    if (!commands || !its) _exit(3);
    char go = 0;
    if (::read(toChild[0], &go, 1) != 1) _exit(4);
    if (write(fromChild[1], "x", 1) != 1) _exit(5);
    if (clEnqueueSignalSemaphoresKHR(commands, 1, &its, nullptr, 0, nullptr, nullptr) != CL_SUCCESS) _exit(6);
    _exit(clFinish(commands) == CL_SUCCESS ? 0 : 7);
  }
  close(handle);
  cl_event waiting = wait(exported, queue);
  EXPECT_GT(statusOf(waiting), CL_COMPLETE);
  ASSERT_EQ(write(toChild[1], "x", 1), 1);
  EXPECT_SUCCESS(clWaitForEvents(1, &waiting));
  char written = 0;
  fcntl(fromChild[0], F_SETFL, O_NONBLOCK);
  EXPECT_EQ(::read(fromChild[0], &written, 1), 1);
  const Ending ending = endingOf(child);
  EXPECT_TRUE(ending.exitedWith(0)) << ending.text();
  for (const int each : {toChild[0], toChild[1], fromChild[0], fromChild[1]}) close(each);
}

// The size alone, and too little room.
TEST_F(GetSemaphoreHandleForType, invalidValue) {
  size_t size = 0;
  EXPECT_SUCCESS(get(exported, device, kFd, 0, nullptr, &size));
  EXPECT_EQ(size, sizeof(int));
  int handle = -1;
  EXPECT_CL(CL_INVALID_VALUE, get(exported, device, kFd, sizeof handle - 1, &handle, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, get(exported, device, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof handle, &handle, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, handleOf(semaphore, device));
  EXPECT_CL(CL_INVALID_VALUE, handleOf(with({kFd, value(descriptor())}), device));
  EXPECT_CL(CL_INVALID_VALUE, errorOf({CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, kFd, kFd, 0}));
}

TEST_F(GetSemaphoreHandleForType, invalidDevice) {
  EXPECT_CL(CL_INVALID_DEVICE, handleOf(exported, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, handleOf(exported, notAnObject<cl_device_id>()));
  EXPECT_CL(CL_INVALID_DEVICE, handleOf(exported, reinterpret_cast<cl_device_id>(queue)));
}

TEST_F(GetSemaphoreHandleForType, invalidSemaphore) {
  for (const auto& bad : badSemaphores())
    EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, handleOf(bad.handle, device)) << "it is " << bad.what;
}

// Handles of other types; descriptors of nothing and of what is no semaphore; two handles.
TEST_F(GetSemaphoreHandleForType, importOfWhatIsNoSemaphore) {
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0}));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, 0}));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({kFd, value(-1)}));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({kFd, value(1 << 20)}));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({kFd, value(ends[0])}));
  EXPECT_EQ(close(ends[0]), 0) << "what was not imported is the application's";
  close(ends[1]);
  const int handle = descriptor();
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({kFd, value(handle), kFd, value(handle)}));
  EXPECT_CL(CL_INVALID_OPERATION, errorOf({kFd, value(handle), CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, kFd, 0}));
  EXPECT_EQ(close(handle), 0);
}

// More waits than the process may have descriptors, also where it may have fewer than it has: each ends with its
// signal.
TEST_F(GetSemaphoreHandleForType, moreWaitsThanDescriptors) {
  constexpr cl_uint many = 100;
  std::vector<cl_event> waits;
  cl_command_queue unordered = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  for (const rlim_t allowed : {rlim_t{64}, rlim_t{1}}) {
    const rlimit limit{allowed, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    waits.clear();
    for (cl_uint i = 0; i < many; ++i) {
      cl_event event = nullptr;
      EXPECT_SUCCESS(clEnqueueWaitSemaphoresKHR(unordered, 1, &exported, nullptr, 0, nullptr, &event));
      waits.push_back(keep(event));
    }
    EXPECT_SUCCESS(clFlush(unordered));
    for (cl_uint i = 0; i < many; ++i) {
      EXPECT_SUCCESS(clEnqueueSignalSemaphoresKHR(queue, 1, &exported, nullptr, 0, nullptr, nullptr));
      EXPECT_SUCCESS(clWaitForEvents(1, &waits[i]));
    }
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  }
}

}  // namespace
}  // namespace clarity::test

// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of cl_khr_semaphore start from: the entry points by their names.
#pragma once

#include "api/entry_points.h"
#include "enqueue_checks.h"

#include <type_traits>
#include <vector>

namespace clarity::test {

struct SemaphoreTest : OpenCL {
  api::cl_api_clCreateSemaphoreWithPropertiesKHR clCreateSemaphoreWithPropertiesKHR = nullptr;
  api::cl_api_clRetainSemaphoreKHR clRetainSemaphoreKHR = nullptr;
  api::cl_api_clReleaseSemaphoreKHR clReleaseSemaphoreKHR = nullptr;
  api::cl_api_clGetSemaphoreInfoKHR clGetSemaphoreInfoKHR = nullptr;
  api::cl_api_clEnqueueSignalSemaphoresKHR clEnqueueSignalSemaphoresKHR = nullptr;
  api::cl_api_clEnqueueWaitSemaphoresKHR clEnqueueWaitSemaphoresKHR = nullptr;

  cl_semaphore_khr semaphore = nullptr;
  cl_command_queue second = nullptr;  ///< another command-queue in order

  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          clGetExtensionFunctionAddressForPlatform(platform, name));
      ASSERT_NE(function, nullptr) << name;
    };
    find(clCreateSemaphoreWithPropertiesKHR, "clCreateSemaphoreWithPropertiesKHR");
    find(clRetainSemaphoreKHR, "clRetainSemaphoreKHR");
    find(clReleaseSemaphoreKHR, "clReleaseSemaphoreKHR");
    find(clGetSemaphoreInfoKHR, "clGetSemaphoreInfoKHR");
    find(clEnqueueSignalSemaphoresKHR, "clEnqueueSignalSemaphoresKHR");
    find(clEnqueueWaitSemaphoresKHR, "clEnqueueWaitSemaphoresKHR");
    if (HasFatalFailure()) return;
    semaphore = made(context);
    second = anotherQueue();
  }
  cl_semaphore_khr made(cl_context of) {
    const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_int error = CL_INVALID_VALUE;
    cl_semaphore_khr result = clCreateSemaphoreWithPropertiesKHR(of, properties, &error);
    EXPECT_SUCCESS(error);
    if (result) atEnd([this, result] { clReleaseSemaphoreKHR(result); });
    return result;
  }
  std::vector<BadHandle<cl_semaphore_khr>> badSemaphores() {
    const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    std::vector<BadHandle<cl_semaphore_khr>> bad{{"NULL", nullptr}};
    if (!promisesBadHandles(*this)) return bad;
    bad.push_back({"foreign memory", notAnObject<cl_semaphore_khr>()});
    bad.push_back({"a context", reinterpret_cast<cl_semaphore_khr>(context)});
    cl_semaphore_khr released = clCreateSemaphoreWithPropertiesKHR(context, properties, nullptr);
    EXPECT_SUCCESS(clReleaseSemaphoreKHR(released));
    bad.push_back({"a released object", released});
    return bad;
  }
  cl_ulong payload() { return infoOf<cl_ulong>(clGetSemaphoreInfoKHR, semaphore, CL_SEMAPHORE_PAYLOAD_KHR); }
  cl_event signal(cl_command_queue on, std::vector<cl_event> waits = {}) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueSignalSemaphoresKHR(on, 1, &semaphore, nullptr, cl_uint(waits.size()),
                                                waits.empty() ? nullptr : waits.data(), &event));
    return keep(event);
  }
  cl_event wait(cl_command_queue on, std::vector<cl_event> waits = {}) {
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueWaitSemaphoresKHR(on, 1, &semaphore, nullptr, cl_uint(waits.size()),
                                              waits.empty() ? nullptr : waits.data(), &event));
    return keep(event);
  }

  using Call = api::cl_api_clEnqueueSignalSemaphoresKHR;
  static_assert(std::is_same_v<Call, api::cl_api_clEnqueueWaitSemaphoresKHR>);
  /// The errors that clEnqueueSignalSemaphoresKHR and clEnqueueWaitSemaphoresKHR have in common: CL_INVALID_VALUE,
  /// CL_INVALID_CONTEXT, CL_INVALID_SEMAPHORE_KHR, those of the command-queue and of the wait list.
  void expectErrors(Call call) {
    const Enqueue enqueue = [&](cl_command_queue on, cl_uint n, const cl_event* list, cl_event* event) {
      return call(on, 1, &semaphore, nullptr, n, list, event);
    };
    expectQueueChecked(*this, enqueue);
    expectWaitListChecked(*this, enqueue);
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 0, &semaphore, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_VALUE, call(queue, 1, nullptr, nullptr, 0, nullptr, nullptr));
    cl_semaphore_khr other = made(otherContext());
    EXPECT_CL(CL_INVALID_CONTEXT, call(queue, 1, &other, nullptr, 0, nullptr, nullptr));
    for (const auto& bad : badSemaphores())
      EXPECT_CL(CL_INVALID_SEMAPHORE_KHR, call(queue, 1, &bad.handle, nullptr, 0, nullptr, nullptr))
          << "it is " << bad.what;
    // An event of the list has failed already.
    cl_event failed = userEvent();
    ASSERT_SUCCESS(clSetUserEventStatus(failed, CL_OUT_OF_RESOURCES));
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, enqueue(queue, 1, &failed, nullptr));
  }
};

}  // namespace clarity::test

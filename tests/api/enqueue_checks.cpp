// SPDX-License-Identifier: Apache-2.0
// This file checks the rules that all enqueue functions share.
#include "enqueue_checks.h"

#include <array>

namespace clarity::test {

bool promisesBadHandles(const OpenCL& test) {
  return infoStringOf(clGetPlatformInfo, test.platform, CL_PLATFORM_NAME) == "Clarity";
}

template <>
cl_context releasedHandle(OpenCL& test) {
  cl_context made = clCreateContext(nullptr, 1, &test.device, nullptr, nullptr, nullptr);
  EXPECT_SUCCESS(clReleaseContext(made));
  return made;
}

template <>
cl_command_queue releasedHandle(OpenCL& test) {
  cl_command_queue made = clCreateCommandQueueWithProperties(test.context, test.device, nullptr, nullptr);
  EXPECT_SUCCESS(clReleaseCommandQueue(made));
  return made;
}

template <>
cl_mem releasedHandle(OpenCL& test) {
  cl_mem made = clCreateBuffer(test.context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  EXPECT_SUCCESS(clReleaseMemObject(made));
  return made;
}

template <>
cl_program releasedHandle(OpenCL& test) {
  const char* text = "";
  cl_program made = clCreateProgramWithSource(test.context, 1, &text, nullptr, nullptr);
  EXPECT_SUCCESS(clReleaseProgram(made));
  return made;
}

template <>
cl_sampler releasedHandle(OpenCL& test) {
  cl_sampler made = clCreateSampler(test.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr);
  EXPECT_SUCCESS(clReleaseSampler(made));
  return made;
}

template <>
cl_kernel releasedHandle(OpenCL& test) {
  cl_kernel made = clCreateKernel(test.build("kernel void nothing() {}"), "nothing", nullptr);
  EXPECT_SUCCESS(clReleaseKernel(made));
  return made;
}

template <>
cl_event releasedHandle(OpenCL& test) {
  cl_event made = clCreateUserEvent(test.context, nullptr);
  EXPECT_SUCCESS(clSetUserEventStatus(made, CL_COMPLETE));
  EXPECT_SUCCESS(clReleaseEvent(made));
  return made;
}

cl_int statusOf(cl_event event) { return infoOf<cl_int>(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS); }

cl_event eventOfAnotherContext(OpenCL& test) {
  cl_event event = test.keep(clCreateUserEvent(test.otherContext(), nullptr));
  EXPECT_SUCCESS(clSetUserEventStatus(event, CL_COMPLETE));
  return event;
}

cl_mem bufferOfAnotherContext(OpenCL& test, size_t bytes) {
  cl_int error = CL_SUCCESS;
  cl_mem memory = test.keep(clCreateBuffer(test.otherContext(), CL_MEM_READ_WRITE, bytes, nullptr, &error));
  EXPECT_SUCCESS(error);
  return memory;
}

std::vector<unsigned char> countingBytes(size_t n, unsigned start) {
  std::vector<unsigned char> bytes(n);
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<unsigned char>(start + i);
  return bytes;
}

HalfBuilt::HalfBuilt(OpenCL& test) {
  if (infoOf<cl_uint>(clGetDeviceInfo, test.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2) return;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  EXPECT_SUCCESS(clCreateSubDevices(test.device, equally, 0, nullptr, &count));
  std::vector<cl_device_id> parts(count);
  EXPECT_SUCCESS(clCreateSubDevices(test.device, equally, count, parts.data(), nullptr));
  for (cl_device_id each : parts) test.keep(each);
  if (count < 2) return;
  cl_context both =
      test.created([&](cl_int* error) { return clCreateContext(nullptr, 2, parts.data(), nullptr, nullptr, error); });
  const char* text = "kernel void nothing() {}";
  cl_program program = test.keep(clCreateProgramWithSource(both, 1, &text, nullptr, nullptr));
  EXPECT_SUCCESS(clBuildProgram(program, 1, &parts[0], "", nullptr, nullptr));
  const auto queueOf = [&](cl_device_id its) {
    return test.created([&](cl_int* e) { return clCreateCommandQueueWithProperties(both, its, nullptr, e); });
  };
  built = queueOf(parts[0]);
  unbuilt = queueOf(parts[1]);
  kernel = test.kernel(program, "nothing");
}

void expectQueueChecked(OpenCL& test, const Enqueue& enqueue) {
  for (const auto& bad : badHandles<cl_command_queue>(test)) {
    cl_event event = nullptr;
    EXPECT_CL(CL_INVALID_COMMAND_QUEUE, enqueue(bad.handle, 0, nullptr, &event)) << "the command-queue is " << bad.what;
    EXPECT_EQ(event, nullptr) << "an event of a command that was not enqueued";
  }
}

void expectWaitListChecked(OpenCL& test, const Enqueue& enqueue) {
  cl_event gate = test.userEvent();
  cl_event event = nullptr;
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, enqueue(test.queue, 1, nullptr, &event)) << "one event, no list";
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, enqueue(test.queue, 0, &gate, &event)) << "a list of no events";
  {
    const std::array<cl_event, 2> list{gate, eventOfAnotherContext(test)};
    EXPECT_CL(CL_INVALID_CONTEXT, enqueue(test.queue, 2, list.data(), &event)) << "an event of another context";
  }
  for (const auto& bad : badHandles<cl_event>(test)) {
    const std::array<cl_event, 2> list{gate, bad.handle};
    EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, enqueue(test.queue, 2, list.data(), &event)) << "an element is " << bad.what;
  }
  EXPECT_EQ(event, nullptr) << "an event of a command that was not enqueued";
  // The gate is still shut: had one of these calls enqueued a command behind it, this would not return.
  EXPECT_SUCCESS(clFinish(test.queue));
}

void expectWaitsForItsList(OpenCL& test, const Enqueue& enqueue, cl_command_type type) {
  const std::array<cl_event, 2> gates{test.userEvent(), test.userEvent()};
  cl_event event = nullptr;
  ASSERT_SUCCESS(enqueue(test.queue, 2, gates.data(), &event));
  ASSERT_NE(event, nullptr);
  test.keep(event);
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE), type);
  EXPECT_EQ(infoOf<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE), test.queue);
  EXPECT_EQ(infoOf<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT), test.context);
  ASSERT_SUCCESS(clFlush(test.queue));
  EXPECT_GE(statusOf(event), CL_SUBMITTED) << "started while both events of its list were open";
  ASSERT_SUCCESS(clSetUserEventStatus(gates[1], CL_COMPLETE));
  EXPECT_GE(statusOf(event), CL_SUBMITTED) << "started while one event of its list was open";
  ASSERT_SUCCESS(clSetUserEventStatus(gates[0], CL_COMPLETE));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_EQ(statusOf(event), CL_COMPLETE);
}

void expectErrorReachesIt(OpenCL& test, const Enqueue& enqueue) {
  cl_command_queue queue = test.anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = test.userEvent();
  cl_event event = nullptr;
  ASSERT_SUCCESS(enqueue(queue, 1, &gate, &event));
  test.keep(event);
  ASSERT_SUCCESS(clFlush(queue));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_INVALID_OPERATION));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(event));
  EXPECT_SUCCESS(clFinish(queue)) << "the command-queue itself is not broken";
}

void expectBlockingEnqueueSeesError(OpenCL& test, const Enqueue& enqueue) {
  cl_command_queue queue = test.anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event gate = test.userEvent();
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_OUT_OF_RESOURCES));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, enqueue(queue, 1, &gate, nullptr));
}

}  // namespace clarity::test

// SPDX-License-Identifier: Apache-2.0
// This file is the scenarios of commands and programs: callbacks that release and enqueue, command-buffers that are
// updated while they wait, sub-devices, builds whose program is released, native kernels, terminated contexts.
#include "api_scenarios.h"

#include "api_scenario.h"

#include <array>
#include <cstring>
#include <memory>

namespace clarity::fuzz {
namespace {

/// Markers of which each is enqueued by the callback of the one before, which also releases it. The last one releases
/// the command-queue.
struct Chain {
  cl_command_queue queue;
  std::atomic<int> left;
  Calls calls;
};

void CL_CALLBACK enqueueNext(cl_event event, cl_int, void* data) {
  auto* const chain = static_cast<Chain*>(data);
  clReleaseEvent(event);
  cl_event next = nullptr;
  const bool goesOn = --chain->left > 0 && clEnqueueMarkerWithWaitList(chain->queue, 0, nullptr, &next) == CL_SUCCESS &&
                      clSetEventCallback(next, CL_COMPLETE, enqueueNext, chain) == CL_SUCCESS;
  if (goesOn) {
    clFlush(chain->queue);
    return;
  }
  if (next) clReleaseEvent(next);
  clReleaseCommandQueue(chain->queue);
  chain->calls.come();
}

void CL_CALLBACK countEvent(cl_event, cl_int, void* data) { static_cast<Calls*>(data)->come(); }

void chainEvents(const Stage& stage) {
  Chain chain{clCreateCommandQueueWithProperties(stage.context, stage.device, nullptr, nullptr),
              stage.random.between(1, 5),
              {}};
  Calls calls;
  Scenario it(stage);
  cl_event const user = it.userEvent();
  cl_event marker = nullptr;
  it.must(clEnqueueMarkerWithWaitList(chain.queue, 1, &user, &marker), "clEnqueueMarkerWithWaitList");
  if (!marker) return;
  for (const cl_int status : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    it.must(clSetEventCallback(marker, status, countEvent, &calls), "clSetEventCallback");
  it.must(clSetEventCallback(marker, CL_COMPLETE, enqueueNext, &chain), "clSetEventCallback");
  it.must(clSetUserEventStatus(user, it.chance(80) ? CL_COMPLETE : -5), "clSetUserEventStatus");
  it.releaseAll();
  chain.calls.waitFor(1);
  calls.waitFor(3);
}

void updateCommandBuffer(const Stage& stage) {
  Scenario it(stage);
  const auto create = it.byName<api::cl_api_clCreateCommandBufferKHR>("clCreateCommandBufferKHR");
  const auto finalize = it.byName<api::cl_api_clFinalizeCommandBufferKHR>("clFinalizeCommandBufferKHR");
  const auto enqueue = it.byName<api::cl_api_clEnqueueCommandBufferKHR>("clEnqueueCommandBufferKHR");
  const auto recordKernel = it.byName<api::cl_api_clCommandNDRangeKernelKHR>("clCommandNDRangeKernelKHR");
  const auto recordCopy = it.byName<api::cl_api_clCommandCopyBufferKHR>("clCommandCopyBufferKHR");
  const auto update = it.byName<api::cl_api_clUpdateMutableCommandsKHR>("clUpdateMutableCommandsKHR");

  cl_command_queue queue = it.queue();
  cl_mem const from = it.buffer(64), to = it.buffer(64);
  const cl_command_buffer_properties_khr properties[] = {
      CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
  cl_command_buffer_khr const commands = it.keep(
      create(1, &queue, properties, nullptr),
      it.byName<api::cl_api_clReleaseCommandBufferKHR>("clReleaseCommandBufferKHR"), "clCreateCommandBufferKHR");
  cl_kernel const kernel = it.fill(from, 1);
  cl_kernel const clone = clCloneKernel(kernel, nullptr);
  const std::size_t global = 16;
  cl_sync_point_khr filled = 0;
  cl_mutable_command_khr command = nullptr;
  it.must(recordKernel(commands, nullptr, nullptr, clone, 1, nullptr, &global, nullptr, 0, nullptr, &filled, &command),
          "clCommandNDRangeKernelKHR");
  it.must(clReleaseKernel(clone), "clReleaseKernel");
  it.must(recordCopy(commands, nullptr, nullptr, from, to, 0, 0, 64, 1, &filled, nullptr, nullptr),
          "clCommandCopyBufferKHR");
  it.must(finalize(commands), "clFinalizeCommandBufferKHR");
  cl_event const user = it.userEvent();
  const bool waits = it.chance(50);
  it.must(enqueue(0, nullptr, commands, waits ? 1 : 0, waits ? &user : nullptr, nullptr), "clEnqueueCommandBufferKHR");
  cl_uchar value = 1;
  for (int i = stage.random.below(4); i > 0; --i) {
    ++value;
    const support::MutableDispatchArg arg{1, 1, &value};
    support::MutableDispatchConfig config{};
    config.command = command;
    config.num_args = 1;
    config.arg_list = &arg;
    const void* configs[] = {&config};
    const cl_command_buffer_update_type_khr type = support::mutableDispatchConfig;
    it.must(update(commands, 1, &type, configs), "clUpdateMutableCommandsKHR");
    it.must(enqueue(0, nullptr, commands, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  }
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  if (it.chance(30)) return;  // released while its commands run
  const cl_uchar read = it.firstByte(queue, to);
  it.expect(read == value, "a command-buffer wrote " + std::to_string(read) + ", not " + std::to_string(value));
}

void signalSemaphore(const Stage& stage) {
  Scenario it(stage);
  const auto create = it.byName<api::cl_api_clCreateSemaphoreWithPropertiesKHR>("clCreateSemaphoreWithPropertiesKHR");
  const auto release = it.byName<api::cl_api_clReleaseSemaphoreKHR>("clReleaseSemaphoreKHR");
  const auto wait = it.byName<api::cl_api_clEnqueueWaitSemaphoresKHR>("clEnqueueWaitSemaphoresKHR");
  const auto signal = it.byName<api::cl_api_clEnqueueSignalSemaphoresKHR>("clEnqueueSignalSemaphoresKHR");
  const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
                                                    CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                    CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                    reinterpret_cast<cl_semaphore_properties_khr>(stage.device),
                                                    CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
                                                    0};
  cl_semaphore_khr const semaphore = create(stage.context, properties, nullptr);
  cl_command_queue const waiting = it.queue(), signalling = it.queue();
  cl_mem const memory = it.buffer(64);
  cl_event const user = it.userEvent();
  const bool signalsFirst = it.chance(50);
  const auto enqueueSignal = [&] {
    it.launch(signalling, it.fill(memory, 2), user);
    it.must(signal(signalling, 1, &semaphore, nullptr, 0, nullptr, nullptr), "clEnqueueSignalSemaphoresKHR");
  };
  if (signalsFirst) enqueueSignal();
  it.must(wait(waiting, 1, &semaphore, nullptr, 0, nullptr, nullptr), "clEnqueueWaitSemaphoresKHR");
  cl_event filled = nullptr;
  const cl_uchar pattern = 3;
  it.must(clEnqueueFillBuffer(waiting, memory, &pattern, 1, 0, 64, 0, nullptr, &filled), "clEnqueueFillBuffer");
  it.event(filled);
  if (!signalsFirst) enqueueSignal();
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  it.expect(it.firstByte(waiting, memory) == 3, "a command did not wait for a semaphore");
  it.must(release(semaphore), "clReleaseSemaphoreKHR");
}

/// Makes a call, which is not inside of the one that has led here, whatever observes calls.
void CL_CALLBACK countContext(cl_context, void* data) {
  cl_platform_id platform = nullptr;
  clGetPlatformIDs(1, &platform, nullptr);
  static_cast<Calls*>(data)->come();
}

void divideDevice(const Stage& stage) {
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id device = nullptr;
  // A device with one compute unit cannot be divided.
  if (clCreateSubDevices(stage.device, properties, 1, &device, nullptr) != CL_SUCCESS) return;
  cl_context const context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  Stage inner = stage;
  inner.device = device;
  inner.context = context;
  Scenario it(inner);
  it.keep(device, clReleaseDevice, "clCreateSubDevices");
  it.keep(context, clReleaseContext, "clCreateContext");
  cl_command_queue const queue = it.queue();
  cl_mem const memory = it.buffer(64);
  const cl_uchar pattern = 6;
  cl_event filled = nullptr;
  it.must(clEnqueueFillBuffer(queue, memory, &pattern, 1, 0, 64, 0, nullptr, &filled), "clEnqueueFillBuffer");
  it.event(filled);
  if (it.chance(20)) {
    const char* text = "kernel void fill(global uchar* a, uchar value) { a[0] = value; }";
    inner.program = it.keep(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr), clReleaseProgram,
                            "clCreateProgramWithSource");
    it.must(clBuildProgram(inner.program, 1, &device, nullptr, nullptr, nullptr), "clBuildProgram");
    it.launch(queue, it.fill(memory, 8));
    it.expect(it.firstByte(queue, memory) == 8, "a kernel on a sub-device has not written");
  }
  it.releaseAll();
}

/// A build, whose callback makes a kernel and gives up the program.
struct Build {
  std::atomic<cl_int> madeKernel{1};
  Calls calls;
};

void CL_CALLBACK takeProgram(cl_program program, void* data) {
  auto* const build = static_cast<Build*>(data);
  cl_int code = CL_SUCCESS;
  if (cl_kernel const kernel = clCreateKernel(program, "one", &code)) clReleaseKernel(kernel);
  build->madeKernel = code;
  build->calls.come();
}

void buildAndRelease(const Stage& stage) {
  Build build;
  Scenario it(stage);
  // Some are in the cache, some are not.
  const std::string source =
      "kernel void one(global int* a) { a[0] = " + std::to_string(stage.random.below(500)) + "; }";
  const char* text = source.c_str();
  cl_program const program = clCreateProgramWithSource(stage.context, 1, &text, nullptr, nullptr);
  const bool compiles = it.chance(30);
  it.must(compiles ? clCompileProgram(program, 0, nullptr, nullptr, 0, nullptr, nullptr, takeProgram, &build)
                   : clBuildProgram(program, 0, nullptr, nullptr, takeProgram, &build),
          "clBuildProgram or clCompileProgram");
  if (it.chance(30)) clUnloadPlatformCompiler(stage.platform);
  it.must(clReleaseProgram(program), "clReleaseProgram");
  build.calls.waitFor(1);
  it.expect(build.calls.count() == 1, "a callback of a build came twice");
  const cl_int expected = compiles ? CL_INVALID_PROGRAM_EXECUTABLE : CL_SUCCESS;
  const cl_int code = build.madeKernel;
  it.expect(code == expected || code == CL_INVALID_PROGRAM,
            "clCreateKernel in the callback of a build gave " + std::to_string(code));
}

/// A native kernel, which enqueues into its command-queue and gives it up.
struct Native {
  cl_command_queue queue;
  cl_mem memory;
  cl_uchar* address;
  Calls* calls;
};

void CL_CALLBACK runNative(void* args) {
  Native native;
  std::memcpy(&native, args, sizeof native);
  *native.address = 4;
  clEnqueueMarkerWithWaitList(native.queue, 0, nullptr, nullptr);
  clReleaseCommandQueue(native.queue);
  clReleaseMemObject(native.memory);
  native.calls->come();
}

void runNativeKernel(const Stage& stage) {
  Calls calls;
  Scenario it(stage);
  if (!(it.ofDevice<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL)) return;
  cl_command_queue const queue = clCreateCommandQueueWithProperties(stage.context, stage.device, nullptr, nullptr);
  cl_mem const memory = clCreateBuffer(stage.context, 0, 64, nullptr, nullptr);
  Native native{queue, memory, nullptr, &calls};
  const void* place = &native.address;
  cl_event const user = it.userEvent();
  it.must(clEnqueueNativeKernel(queue, runNative, &native, sizeof native, 1, &memory, &place, 1, &user, nullptr),
          "clEnqueueNativeKernel");
  it.must(clFlush(queue), "clFlush");
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  it.releaseAll();
  calls.waitFor(1);
}

void terminate(const Stage& stage) {
  Calls calls, ends;
  Stage inner = stage;
  const auto silent = [](const char*, const void*, std::size_t, void*) {};
  const cl_context_properties properties[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
  inner.context = clCreateContext(properties, 1, &stage.device, silent, nullptr, nullptr);
  Scenario it(inner);
  it.keep(inner.context, clReleaseContext, "clCreateContext");
  cl_command_queue const queue = it.queue();
  cl_mem const memory = it.buffer(64);
  cl_event const user = it.userEvent();
  const cl_uchar pattern = 6;
  cl_event filled = nullptr;
  it.must(clEnqueueFillBuffer(queue, memory, &pattern, 1, 0, 64, 1, &user, &filled), "clEnqueueFillBuffer");
  it.event(filled);
  it.must(clSetEventCallback(filled, CL_COMPLETE, countEvent, &calls), "clSetEventCallback");
  if (it.chance(50)) clSetUserEventStatus(user, CL_COMPLETE);
  const auto terminateContext = it.byName<api::cl_api_clTerminateContextKHR>("clTerminateContextKHR");
  it.must(clSetContextDestructorCallback(inner.context, countContext, &ends), "clSetContextDestructorCallback");
  it.must(terminateContext(inner.context), "clTerminateContextKHR");
  it.expect(clEnqueueMarkerWithWaitList(queue, 0, nullptr, nullptr) != CL_SUCCESS,
            "a terminated context takes commands");
  it.releaseAll();
  calls.waitFor(1);
  ends.waitFor(1);
}

}  // namespace

namespace {

using Play = void (*)(const Stage&);
constexpr std::array<Play, 9> often = {chainEvents,  updateCommandBuffer, divideDevice,  runNativeKernel, shareMemory,
                                       importMemory, mapMemory,           destroyMemory, signalSemaphore};
// These compile.
constexpr std::array<Play, 6> seldom = {buildAndRelease, terminate,       sendPackets,
                                        divideLaunches,  enqueueChildren, releaseWhileItRuns};

}  // namespace

void playScenario(const Stage& stage) {
  (stage.random.chance(15) ? stage.random.pick(seldom) : stage.random.pick(often))(stage);
}

void playAnyScenario(const Stage& stage) {
  (stage.random.chance(60) ? stage.random.pick(seldom) : stage.random.pick(often))(stage);
}

}  // namespace clarity::fuzz

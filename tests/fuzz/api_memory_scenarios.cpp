// SPDX-License-Identifier: Apache-2.0
// This file is the scenarios of memory: shared virtual memory that commands free, files that are cut, pipes, regions
// that stay mapped, destructor callbacks.
#include "api_scenario.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>

namespace clarity::fuzz {
namespace {

constexpr std::size_t fileBytes = 8192;

/// Data of callbacks of clEnqueueSVMFree; the last one releases the command-queue.
struct Freeing {
  cl_context context;
  Calls calls;
};

void CL_CALLBACK freeAll(cl_command_queue, cl_uint count, void* pointers[], void* data) {
  auto* const freeing = static_cast<Freeing*>(data);
  for (cl_uint i = 0; i < count; ++i) clSVMFree(freeing->context, pointers[i]);
  freeing->calls.come();
}

}  // namespace

void shareMemory(const Stage& stage) {
  Freeing freeing{stage.context, {}};
  Scenario it(stage);
  const auto svm = it.ofDevice<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
  if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) return;
  cl_command_queue const queue = it.queue(it.chance(50) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  std::array<void*, 3> memory{};
  for (void*& each : memory) {
    each = clSVMAlloc(stage.context, it.chance(50) ? CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER : 0, 4096, 0);
    it.expect(each != nullptr, "clSVMAlloc gave null");
  }
  cl_event const user = it.userEvent();
  cl_kernel const kernel = it.fill(nullptr, 7);
  it.must(clSetKernelArgSVMPointer(kernel, 0, memory[0]), "clSetKernelArgSVMPointer");
  cl_event filled = nullptr;
  const cl_int zero = 0;
  it.must(clEnqueueSVMMemFill(queue, memory[0], &zero, sizeof zero, 4096, 1, &user, &filled), "clEnqueueSVMMemFill");
  it.event(filled);
  it.launch(queue, kernel, filled);
  it.must(clEnqueueBarrierWithWaitList(queue, 0, nullptr, nullptr), "clEnqueueBarrierWithWaitList");
  const bool calls = it.chance(50);
  cl_event freed = nullptr;
  it.must(clEnqueueSVMFree(queue, 3, memory.data(), calls ? freeAll : nullptr, &freeing, 1, &filled, &freed),
          "clEnqueueSVMFree");
  it.event(freed);
  if (it.chance(50)) it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  memory.fill(nullptr);
  if (it.chance(30)) {
    clSetUserEventStatus(user, CL_COMPLETE);
    it.must(clFlush(queue), "clFlush");
    it.releaseAll();
  } else {
    clSetUserEventStatus(user, CL_COMPLETE);
    it.must(clWaitForEvents(1, &freed), "clWaitForEvents");
  }
  if (calls) freeing.calls.waitFor(1);
}

void importMemory(const Stage& stage) {
  Scenario it(stage);
  if (!it.hasExtension("cl_khr_external_memory_opaque_fd")) return;
  const int file = memfd_create("api_fuzz", MFD_CLOEXEC);
  it.expect(file >= 0 && ftruncate(file, fileBytes) == 0, "no file in memory");
  // The descriptor that a buffer is made of belongs to the buffer.
  const cl_mem_properties properties[] = {
      CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, static_cast<cl_mem_properties>(dup(file)),
      CL_MEM_DEVICE_HANDLE_LIST_KHR,           reinterpret_cast<cl_mem_properties>(stage.device),
      CL_MEM_DEVICE_HANDLE_LIST_END_KHR,       0};
  cl_mem const memory =
      it.keep(clCreateBufferWithProperties(stage.context, properties, CL_MEM_READ_WRITE, fileBytes, nullptr, nullptr),
              clReleaseMemObject, "clCreateBufferWithProperties");
  cl_command_queue const queue = it.queue();
  const auto acquire =
      it.byName<api::cl_api_clEnqueueAcquireExternalMemObjectsKHR>("clEnqueueAcquireExternalMemObjectsKHR");
  const auto release =
      it.byName<api::cl_api_clEnqueueReleaseExternalMemObjectsKHR>("clEnqueueReleaseExternalMemObjectsKHR");
  const bool isCut = it.chance(25);
  it.must(acquire(queue, 1, &memory, 0, nullptr, nullptr), "clEnqueueAcquireExternalMemObjectsKHR");
  // Whoever else has the file can cut it at any time: then commands that access it fail.
  if (isCut) it.expect(ftruncate(file, 0) == 0, "the file is not cut");
  it.launch(queue, it.fill(memory, 9));
  cl_uchar read = 0;
  if (isCut) {
    const int zero = 0;
    switch (stage.random.below(3)) {
      case 0: clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 1, &read, 0, nullptr, nullptr); break;
      case 1: clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, fileBytes, 0, nullptr, nullptr); break;
      default: clEnqueueCopyBuffer(queue, memory, it.buffer(fileBytes), 0, 0, fileBytes, 0, nullptr, nullptr); break;
    }
    clFinish(queue);
  } else {
    it.must(release(queue, 1, &memory, 0, nullptr, nullptr), "clEnqueueReleaseExternalMemObjectsKHR");
    it.must(clFinish(queue), "clFinish");
    it.expect(pread(file, &read, 1, 0) == 1 && read == 9, "the file does not have what the kernel wrote");
  }
  close(file);
}

void sendPackets(const Stage& stage) {
  Scenario it(stage);
  if (!it.ofDevice<cl_bool>(CL_DEVICE_PIPE_SUPPORT)) return;
  constexpr const char* source =
      "kernel void put(write_only pipe int p) { int value = get_global_id(0); write_pipe(p, &value); }"
      "kernel void take(read_only pipe int p, global int* out) { int value = -1; read_pipe(p, &value);"
      " out[get_global_id(0)] = value; }";
  const char* text = source;
  cl_program const program = it.keep(clCreateProgramWithSource(stage.context, 1, &text, nullptr, nullptr),
                                     clReleaseProgram, "clCreateProgramWithSource");
  it.must(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
  cl_mem const pipe =
      it.keep(clCreatePipe(stage.context, 0, 4, 16, nullptr, nullptr), clReleaseMemObject, "clCreatePipe");
  cl_mem const out = it.buffer(64);
  cl_kernel const put = it.keep(clCreateKernel(program, "put", nullptr), clReleaseKernel, "clCreateKernel");
  cl_kernel const take = it.keep(clCreateKernel(program, "take", nullptr), clReleaseKernel, "clCreateKernel");
  it.must(clSetKernelArg(put, 0, sizeof pipe, &pipe), "clSetKernelArg");
  it.must(clSetKernelArg(take, 0, sizeof pipe, &pipe), "clSetKernelArg");
  it.must(clSetKernelArg(take, 1, sizeof out, &out), "clSetKernelArg");
  cl_kernel const clone = it.keep(clCloneKernel(put, nullptr), clReleaseKernel, "clCloneKernel");
  cl_command_queue const queue = it.queue();
  cl_event const user = it.userEvent();
  it.launch(queue, it.chance(50) ? clone : put, user);
  it.launch(queue, take);
  std::array<cl_int, 16> values{};
  cl_event done = nullptr;
  it.must(clEnqueueReadBuffer(queue, out, CL_FALSE, 0, 64, values.data(), 0, nullptr, &done), "clEnqueueReadBuffer");
  clSetUserEventStatus(user, CL_COMPLETE);
  if (it.chance(50)) it.releaseAll();
  it.must(clWaitForEvents(1, &done), "clWaitForEvents");
  it.must(clReleaseEvent(done), "clReleaseEvent");
  cl_int sum = 0;
  for (const cl_int value : values) sum += value;
  it.expect(sum == 120, "a pipe gave packets of the sum " + std::to_string(sum) + ", not 120");
}

void mapMemory(const Stage& stage) {
  Scenario it(stage);
  cl_command_queue const queue = it.queue(), other = it.queue();
  cl_mem const memory = it.buffer(4096);
  const cl_buffer_region region{1024, 1024};
  cl_mem const part = it.keep(clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr),
                              clReleaseMemObject, "clCreateSubBuffer");
  cl_event const user = it.userEvent();
  cl_event mapped = nullptr;
  void* const address = clEnqueueMapBuffer(queue, part, CL_FALSE, CL_MAP_WRITE, 16, 64, 1, &user, &mapped, nullptr);
  it.expect(address != nullptr, "clEnqueueMapBuffer gave null");
  it.event(mapped);
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  it.must(clWaitForEvents(1, &mapped), "clWaitForEvents");
  if (address) std::memset(address, 5, 64);
  if (it.chance(30)) return;  // it stays mapped
  it.must(clEnqueueUnmapMemObject(other, part, address, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
  it.must(clFinish(other), "clFinish");
  cl_uchar byte = 0;
  it.must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 1024 + 16, 1, &byte, 0, nullptr, nullptr), "clEnqueueReadBuffer");
  it.expect(byte == 5, "what was written to a mapped region is not in the buffer");
}

namespace {

/// Destructor callbacks of memory objects, of which each releases the next one.
struct Chain {
  std::array<cl_mem, 4> memory{};
  std::atomic<std::size_t> next{0};
  Calls calls;
};

void CL_CALLBACK releaseNext(cl_mem, void* data) {
  auto* const chain = static_cast<Chain*>(data);
  const std::size_t next = chain->next.fetch_add(1);
  if (next < chain->memory.size()) clReleaseMemObject(chain->memory[next]);
  chain->calls.come();
}

}  // namespace

void destroyMemory(const Stage& stage) {
  Chain chain;
  Scenario it(stage);
  cl_command_queue const queue = it.queue();
  for (cl_mem& each : chain.memory) {
    each = clCreateBuffer(stage.context, 0, 64, nullptr, nullptr);
    it.must(clSetMemObjectDestructorCallback(each, releaseNext, &chain), "clSetMemObjectDestructorCallback");
  }
  cl_mem const first = clCreateBuffer(stage.context, 0, 64, nullptr, nullptr);
  it.must(clSetMemObjectDestructorCallback(first, releaseNext, &chain), "clSetMemObjectDestructorCallback");
  cl_kernel const kernel = it.fill(first, 3);
  cl_event const user = it.userEvent();
  it.launch(queue, kernel, user);
  it.must(clReleaseMemObject(first), "clReleaseMemObject");
  it.must(clSetUserEventStatus(user, CL_COMPLETE), "clSetUserEventStatus");
  // The kernel has the buffer as its argument as long as it is there.
  it.must(clFinish(queue), "clFinish");
  it.releaseAll();
  chain.calls.waitFor(5);
}

}  // namespace clarity::fuzz

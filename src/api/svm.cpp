// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points of shared virtual memory (OpenCL 3.0, section 5.6). No device has it yet
// (CL_DEVICE_SVM_CAPABILITIES).
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "sched/queue.h"

namespace clarity::api {
namespace {

[[noreturn]] void failEnqueue(cl_command_queue queue) {
  ref<sched::Queue>(queue);
  // CL_INVALID_OPERATION if the device associated with command_queue does not support SVM.
  fail(CL_INVALID_OPERATION, "the device of the command-queue does not support shared virtual memory");
}

}  // namespace

void* clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, unsigned int) {
  // NULL if no devices in context support SVM; there is no error code to give.
  return nullptr;
}

void clSVMFree(cl_context, void*) {
  // Nothing was ever allocated; a NULL pointer is ignored by the specification and any other is not ours.
}

cl_int clEnqueueSVMFree(cl_command_queue command_queue, cl_uint, void**,
                        void(CL_CALLBACK*)(cl_command_queue, cl_uint, void**, void*), void*, cl_uint, const cl_event*,
                        cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool, void*, const void*, size_t, cl_uint, const cl_event*,
                          cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueSVMMemFill(cl_command_queue command_queue, void*, const void*, size_t, size_t, cl_uint, const cl_event*,
                           cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueSVMMap(cl_command_queue command_queue, cl_bool, cl_map_flags, void*, size_t, cl_uint, const cl_event*,
                       cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueSVMUnmap(cl_command_queue command_queue, void*, cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

cl_int clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint, const void**, const size_t*,
                              cl_mem_migration_flags, cl_uint, const cl_event*, cl_event*) {
  return entry([&] { failEnqueue(command_queue); });
}

}  // namespace clarity::api

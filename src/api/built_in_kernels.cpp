// SPDX-License-Identifier: Apache-2.0
// This file creates programs of built-in kernels (OpenCL 3.0, section 5.8.1) and makes the commands that launch them.
#include "api/commands.h"
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/handle.h"
#include "built_in/plan.h"
#include "core/observation.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::api {

using core::Context;
using core::Device;
using core::Kernel;
using core::Program;
using sched::Command;

namespace {

/// The launch of a pass.
std::unique_ptr<Command> commandOfPass(sched::Queue& queue, Kernel& whole, cl_command_type type,
                                       const built_in::Pass& pass, std::span<const Ref<core::Memory>> scratch) {
  std::unique_ptr<Command> command;
  whole.withPass(pass, scratch, [&](Kernel& kernel) { command = Command::launch(type, kernel, queue.device()); });
  device::Launch& launch = command->launch();
  launch.range = pass.range;
  if (launch.range.local[0] == 0) queue.device().backend().chooseLocalSize(*launch.info, launch.range);
  for (core::MemoryUse& use : command->memory)
    for (const Ref<core::Memory>& each : scratch)
      // Each pass writes all that it or a later one reads, so that nothing is to be brought from elsewhere.
      if (&use.memory.get() == &each.get()) use.access = core::Access::Overwrite;
  return command;
}

/// Several launches as one command.
std::unique_ptr<Command> commandOfPasses(sched::Queue& queue, Kernel& kernel, cl_command_type type,
                                         const built_in::Plan& plan, std::span<const Ref<core::Memory>> scratch) {
  auto whole = std::make_unique<Command>(type);
  auto kernels = std::make_shared<std::vector<RefPtr<Kernel>>>();
  device::Sequence sequence;
  for (const built_in::Pass& pass : plan.passes) {
    const std::unique_ptr<Command> each = commandOfPass(queue, kernel, type, pass, scratch);
    sequence.launches.push_back(std::move(each->launch()));
    for (const core::MemoryUse& use : each->memory) whole->memory.push_back(use);
    kernels->push_back(each->kernel);
  }
  whole->operation.emplace(std::move(sequence));
  whole->kernel = RefPtr<Kernel>(&kernel);
  whole->keeps = std::move(kernels);
  return whole;
}

}  // namespace

std::unique_ptr<Command> launchBuiltIn(sched::Queue& queue, Kernel& kernel, cl_command_type type,
                                       const built_in::GivenRange& given, bool isRecorded) {
  const Device& device = queue.device();
  // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for the device.
  (void)kernel.info(device);
  std::vector<Ref<core::Memory>> kept;
  const std::vector<built_in::Argument> arguments = kernel.argumentsOfPlan(kept);
  for (const Ref<core::Memory>& memory : kept) requireAligned(queue, memory, "an argument of the kernel");
  built_in::Builder builder(*kernel.builtIn(), device.properties(), arguments, given);
  kernel.builtIn()->entry->plan(builder);
  failIf(builder.isRefused(), builder.code(), "{}", builder.text());
  const built_in::Plan plan = builder.take();
  if (plan.passes.empty() || given.isEmpty) return Command::order(type);
  std::shared_ptr<const Kernel::ScratchLeases> leases;
  if (!plan.scratch.empty())
    leases = kernel.scratch(plan.scratch, !isRecorded && !queue.isOutOfOrder() ? &queue : nullptr);
  std::vector<Ref<core::Memory>> scratch;
  for (std::size_t i = 0; i < plan.scratch.size(); ++i) scratch.push_back(*(*leases)[i]);
  std::unique_ptr<Command> command = plan.passes.size() == 1
                                         ? commandOfPass(queue, kernel, type, plan.passes.front(), scratch)
                                         : commandOfPasses(queue, kernel, type, plan, scratch);
  if (leases) {
    using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const Kernel::ScratchLeases>>;
    command->keeps = std::make_shared<const Both>(std::move(command->keeps), std::move(leases));
  }
  return command;
}

cl_program clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices, const cl_device_id* device_list,
                                             const char* kernel_names, cl_int* errcode_ret) {
  return entry(errcode_ret, [&]() -> cl_program {
    Context& it = ref<Context>(context);
    // CL_INVALID_VALUE if device_list is NULL or num_devices is zero.
    failIf(num_devices == 0 || !device_list, CL_INVALID_VALUE, "num_devices is {} and device_list is {}", num_devices,
           static_cast<const void*>(device_list));
    // CL_INVALID_VALUE if kernel_names is NULL.
    failIf(!kernel_names, CL_INVALID_VALUE, "kernel_names is null");
    // CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated with context.
    const std::vector<Ref<Device>> devices = deviceListOf(num_devices, device_list, it.devices());
    std::vector<const built_in::Kernel*> kernels;
    for (std::string_view rest = kernel_names; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      if (name.empty()) continue;
      kernels.push_back(built_in::find(name));
      // CL_INVALID_VALUE if kernel_names contains a kernel name that is not supported by any of the devices.
      const bool isSupported = kernels.back() && std::ranges::any_of(devices, [&](const Ref<Device>& device) {
                                 return device->hasBuiltIn(*kernels.back());
                               });
      failIf(!isSupported, CL_INVALID_VALUE,
             "none of the {} devices has the built-in kernel '{}'; CL_DEVICE_BUILT_IN_KERNELS lists those that it has",
             devices.size(), name);
    }
    failIf(kernels.empty(), CL_INVALID_VALUE, "kernel_names, '{}', has no name", kernel_names);
    return (new Program(it, devices, std::move(kernels)))->handOut();
  });
}

}  // namespace clarity::api

// SPDX-License-Identifier: Apache-2.0
// This file holds the entry points that record kernels and change them later (OpenCL 3.1, "Recording Commands to a
// Command-Buffer" and "Mutable Commands"; cl_khr_command_buffer_mutable_dispatch).
#include "api/commands.h"
#include "api/entry.h"
#include "api/entry_points.h"
#include "api/info.h"
#include "api/property_list.h"
#include "api/record.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace clarity::api {

using core::Kernel;
using sched::Command;
using sched::CommandBuffer;
using sched::Dispatch;
using sched::MutableCommand;
using support::MutableDispatchArg;
using support::MutableDispatchConfig;
using support::MutableDispatchExecInfo;

namespace {

constexpr cl_bitfield noMoreGroups = CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;

/// The properties of clCommandNDRangeKernelKHR.
struct KernelProperties {
  cl_bitfield updatable = support::mutableFields, asserts = 0;
  std::vector<cl_ulong> array;
};

/// CL_INVALID_VALUE if values specified in properties are not valid.
KernelProperties readKernelProperties(const cl_command_properties_khr* list) {
  KernelProperties result;
  result.array = readPropertyList(list, CL_INVALID_VALUE, "property", [&](cl_ulong name, cl_ulong value) {
    if (name == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR) {
      failIf(value & ~support::mutableFields, CL_INVALID_VALUE,
             "CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR {:#x} has unknown bits", value);
      result.updatable = value;
    } else if (name == CL_MUTABLE_DISPATCH_ASSERTS_KHR) {
      failIf(value & ~noMoreGroups, CL_INVALID_VALUE, "CL_MUTABLE_DISPATCH_ASSERTS_KHR {:#x} has unknown bits", value);
      result.asserts = value;
    } else {
      fail(CL_INVALID_VALUE, "property {:#x} is not known", name);
    }
  });
  return result;
}

/// A copy of a kernel that belongs to us: the application sees no reference of it.
RefPtr<Kernel> copyOf(const Kernel& kernel) {
  auto* const copy = new Kernel(kernel);
  RefPtr<Kernel> result(copy);
  copy->release();
  return result;
}

void setSizes(MutableCommand::Sizes& sizes, cl_uint dims, const std::size_t* values) {
  if (values) std::copy_n(values, dims, sizes.begin());
}

/// CL_INVALID_VALUE if a list of an update is null and its count is not 0, or the reverse.
void requireList(const char* name, cl_uint count, const void* list) {
  failIf((count == 0) != (list == nullptr), CL_INVALID_VALUE, "the count of {} is {} and the list is {}", name, count,
         list);
}

/// CL_INVALID_OPERATION if a field that is to change cannot.
void requireUpdatable(const MutableCommand& command, bool changes, cl_bitfield field, const char* name) {
  failIf(changes && !(command.updatable() & field), CL_INVALID_OPERATION,
         "the command was recorded without {}, CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR is {:#x}", name,
         command.updatable());
}

/// Whether all work-groups have the same size.
bool isUniform(const Dispatch& dispatch) {
  if (!dispatch.hasLocal || dispatch.isEmpty) return true;
  for (cl_uint d = 0; d < dispatch.dims; ++d)
    if (dispatch.local[d] != 0 && dispatch.global[d] % dispatch.local[d] != 0) return false;
  return true;
}

/// A dispatch after an update of the application's; throws what clUpdateMutableCommandsKHR returns.
Dispatch updated(const MutableCommand& command, Dispatch dispatch, const MutableDispatchConfig& config) {
  requireList("arg_list", config.num_args, config.arg_list);
  requireList("arg_svm_list", config.num_svm_args, config.arg_svm_list);
  requireList("exec_info_list", config.num_exec_infos, config.exec_info_list);
  requireUpdatable(command, config.num_args || config.num_svm_args, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
                   "CL_MUTABLE_DISPATCH_ARGUMENTS_KHR");
  requireUpdatable(command, config.num_exec_infos != 0, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR,
                   "CL_MUTABLE_DISPATCH_EXEC_INFO_KHR");
  requireUpdatable(command, config.global_work_offset, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR,
                   "CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR");
  requireUpdatable(command, config.global_work_size, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR,
                   "CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR");
  requireUpdatable(command, config.local_work_size, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR,
                   "CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR");
  // CL_INVALID_OPERATION if work_dim is not zero and different from the work_dim set on command recording.
  failIf(config.work_dim != 0 && config.work_dim != dispatch.dims, CL_INVALID_OPERATION,
         "work_dim is {}; the command was recorded with {}", config.work_dim, dispatch.dims);
  const bool wasUniform = isUniform(dispatch);
  dispatch.own = copyOf(*dispatch.own);
  for (const MutableDispatchArg& arg : std::span(config.arg_list, config.num_args))
    dispatch.own->setArg(arg.arg_index, arg.arg_size, arg.arg_value);
  for (const MutableDispatchArg& arg : std::span(config.arg_svm_list, config.num_svm_args))
    setPointer(*dispatch.own, arg.arg_index, arg.arg_value);
  for (const MutableDispatchExecInfo& info : std::span(config.exec_info_list, config.num_exec_infos))
    setExecInfo(*dispatch.own, info.param_name, info.param_value_size, info.param_value);
  setSizes(dispatch.offset, dispatch.dims, config.global_work_offset);
  setSizes(dispatch.global, dispatch.dims, config.global_work_size);
  setSizes(dispatch.local, dispatch.dims, config.local_work_size);
  if (config.global_work_size) dispatch.isEmpty = false;
  if (config.local_work_size) dispatch.hasLocal = true;
  // CL_INVALID_OPERATION if the values of local_work_size and/or global_work_size result in a change to work-group
  // uniformity.
  failIf(isUniform(dispatch) != wasUniform, CL_INVALID_OPERATION,
         "the new sizes make work-groups {}, and the command was recorded with {} ones",
         wasUniform ? "non-uniform" : "uniform", wasUniform ? "uniform" : "non-uniform");
  return dispatch;
}

std::vector<std::size_t> sizesOf(const MutableCommand::Sizes& sizes, cl_uint dims) {
  return {sizes.begin(), sizes.begin() + dims};
}

const InfoRow<MutableCommand> mutableCommandInfo[] = {
    INFO_ROW(cl_command_queue, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, it.queue().handle()),
    INFO_ROW(cl_command_buffer_khr, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, it.buffer().handle()),
    INFO_ROW(cl_command_type, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, (static_cast<void>(it), CL_COMMAND_NDRANGE_KERNEL)),
    INFO_ROW(std::vector<cl_ulong>, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, it.propertiesArray()),
    INFO_ROW(cl_kernel, CL_MUTABLE_DISPATCH_KERNEL_KHR, it.dispatch().kernel->handle()),
    INFO_ROW(cl_uint, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, it.dispatch().dims),
    INFO_ROW(std::vector<std::size_t>, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR,
             sizesOf(it.dispatch().offset, it.dispatch().dims)),
    INFO_ROW(std::vector<std::size_t>, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
             sizesOf(it.dispatch().global, it.dispatch().dims)),
    INFO_ROW(std::vector<std::size_t>, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR,
             sizesOf(it.dispatch().local, it.dispatch().dims)),
};

}  // namespace

std::unique_ptr<Command> commandOf(sched::Queue& queue, const Dispatch& dispatch) {
  const std::size_t* const global = dispatch.isEmpty ? nullptr : dispatch.global.data();
  const std::size_t* const local = dispatch.hasLocal ? dispatch.local.data() : nullptr;
  try {
    return launchKernel(queue, *dispatch.own, CL_COMMAND_NDRANGE_KERNEL, dispatch.dims, dispatch.offset.data(), global,
                        local, true);
  } catch (const core::Error& error) {
    if (error.code() != CL_INVALID_KERNEL_ARGS || dispatch.own->hasAllArgs()) throw;
  }
  bool empty = false;
  (void)checkRange(queue, *dispatch.own, dispatch.dims, dispatch.offset.data(), global, local, empty);
  return nullptr;
}

cl_int clCommandNDRangeKernelKHR(cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
                                 const cl_command_properties_khr* properties, cl_kernel kernel, cl_uint work_dim,
                                 const size_t* global_work_offset, const size_t* global_work_size,
                                 const size_t* local_work_size, cl_uint num_sync_points_in_wait_list,
                                 const cl_sync_point_khr* sync_point_wait_list, cl_sync_point_khr* sync_point,
                                 cl_mutable_command_khr* mutable_handle) {
  return entry([&] {
    RecordCall call(command_buffer, command_queue, num_sync_points_in_wait_list, sync_point_wait_list);
    KernelProperties read = readKernelProperties(properties);
    Kernel& its = ref<Kernel>(kernel);
    // CL_INVALID_VALUE if work-groups are asserted not to become more and local_work_size is NULL.
    failIf(((read.asserts | call.buffer.asserts()) & noMoreGroups) && !local_work_size, CL_INVALID_VALUE,
           "local_work_size is null, and CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR is set");
    const auto plain = [&] {
      return launchKernel(call.queue, its, CL_COMMAND_NDRANGE_KERNEL, work_dim, global_work_offset, global_work_size,
                          local_work_size, true);
    };
    std::unique_ptr<Command> made = mutable_handle ? nullptr : plain();
    // CL_INVALID_CONTEXT if the context associated with command_buffer and kernel is not the same.
    requireSameContext(call.buffer.context(), "command_buffer", its.context(), "kernel");
    Dispatch dispatch{.kernel = RefPtr<Kernel>(&its), .own = copyOf(its), .dims = work_dim};
    failIf(work_dim < 1 || work_dim > 3, CL_INVALID_WORK_DIMENSION, "work_dim is {}, not 1, 2 or 3", work_dim);
    setSizes(dispatch.offset, work_dim, global_work_offset);
    setSizes(dispatch.global, work_dim, global_work_size);
    setSizes(dispatch.local, work_dim, local_work_size);
    dispatch.isEmpty = !global_work_size;
    dispatch.hasLocal = local_work_size != nullptr;
    if (!mutable_handle)
      return RecordCall::finish(sync_point,
                                call.buffer.add(std::move(made), call.index, call.waits, CommandBuffer::Order::Normal,
                                                std::make_shared<const Dispatch>(std::move(dispatch))));
    std::shared_ptr<const Command> command;
    // CL_INVALID_KERNEL_ARGS if argument values have not been specified and cannot be later.
    if ((call.buffer.flags() & CL_COMMAND_BUFFER_MUTABLE_KHR) && (read.updatable & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR))
      command = commandOf(call.queue, dispatch);
    else
      command = plain();
    auto handle = std::make_unique<MutableCommand>(call.buffer, call.queue, read.updatable, read.asserts,
                                                   std::move(read.array), std::move(dispatch));
    MutableCommand& added = *handle;
    RecordCall::finish(sync_point, call.buffer.add(std::move(handle), std::move(command), call.index, call.waits));
    *mutable_handle = added.handOut();
  });
}

cl_int clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                  const cl_command_buffer_update_type_khr* config_types, const void** configs) {
  return entry([&] {
    CommandBuffer& buffer = ref<CommandBuffer>(command_buffer);
    // CL_INVALID_OPERATION if command_buffer has not been finalized, or was not created with
    // CL_COMMAND_BUFFER_MUTABLE_KHR.
    failIf(buffer.state() == CommandBuffer::State::Recording, CL_INVALID_OPERATION,
           "the command-buffer has not been finalized");
    failIf(!(buffer.flags() & CL_COMMAND_BUFFER_MUTABLE_KHR), CL_INVALID_OPERATION,
           "the command-buffer was created with flags {:#x}, without CL_COMMAND_BUFFER_MUTABLE_KHR", buffer.flags());
    requireList("config_types", num_configs, config_types);
    requireList("configs", num_configs, static_cast<const void*>(configs));
    struct Update {
      MutableCommand* command;
      Dispatch dispatch;
    };
    std::vector<Update> updates;  // one for each command: the same command may be in several configs
    for (cl_uint i = 0; i < num_configs; ++i) {
      // CL_INVALID_VALUE if any element of config_types is not valid, or if any element of configs is NULL.
      failIf(config_types[i] != support::mutableDispatchConfig, CL_INVALID_VALUE,
             "config_types[{}] is {}, expected CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR", i, config_types[i]);
      failIf(!configs[i], CL_INVALID_VALUE, "configs[{}] is null", i);
      const auto& config = *static_cast<const MutableDispatchConfig*>(configs[i]);
      // CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command, or not of command_buffer.
      MutableCommand& command = ref<MutableCommand>(config.command);
      failIf(&command.buffer() != &buffer, CL_INVALID_MUTABLE_COMMAND_KHR,
             "configs[{}].command, {}, is of another command-buffer", i, static_cast<const void*>(config.command));
      auto known = std::ranges::find(updates, &command, &Update::command);
      if (known == updates.end()) known = updates.insert(known, {&command, command.dispatch()});
      known->dispatch = updated(command, known->dispatch, config);
    }
    std::vector<std::pair<CommandBuffer::SyncPoint, std::shared_ptr<const Command>>> commands;
    for (const Update& update : updates)
      commands.emplace_back(update.command->syncPoint(), commandOf(update.command->queue(), update.dispatch));
    // Nothing can fail from here on: all updates or none.
    buffer.replace(std::move(commands));
    for (Update& update : updates) update.command->setDispatch(std::move(update.dispatch));
  });
}

cl_int clGetMutableCommandInfoKHR(cl_mutable_command_khr command, cl_mutable_command_info_khr param_name,
                                  size_t param_value_size, void* param_value, size_t* param_value_size_ret) {
  return entry([&] {
    answer(mutableCommandInfo, ref<MutableCommand>(command), param_name, param_value_size, param_value,
           param_value_size_ret);
  });
}

}  // namespace clarity::api

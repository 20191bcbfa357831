// SPDX-License-Identifier: Apache-2.0
// This file counts the application's references to its objects.
#include "check/host/host_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace clarity::check {
namespace {

class LifetimeCheck final : public HostCheck {
public:
  explicit LifetimeCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    const bool isRelease = call.info.begins("clRelease");
    for (const Value& argument : call.arguments)
      if (isHandle(argument.kind)) requireAlive(argument.bits, call, isRelease);
    for (const cl_event event : call.waitList()) requireAlive(Value::of(event).bits, call, false);
    if (call.is("clEnqueueMigrateMemObjects"))
      if (const auto* const list = call.at<const cl_mem*>("mem_objects"))
        for (cl_uint i = 0; i < call.at<cl_uint>("num_mem_objects"); ++i)
          requireAlive(Value::of(list[i]).bits, call, false);
    if (call.is("clSVMFree") || call.is("clMemFreeINTEL") || call.is("clMemBlockingFreeINTEL"))
      requireAlive(call.at(call.is("clSVMFree") ? "svm_pointer" : "ptr"), call, true);
    if (call.givenHandle())
      if (const std::uint64_t value = *call.givenHandle())
        if (const HostObject* const object = scene_.objects.find(value); object && isArgument(object->kind))
          requireAlive(value, call, false);
    if (call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask")) requireArguments(call);
  }

  void after(const HostCall& call) override {
    if (call.info.begins("clRetain") && call.error == CL_SUCCESS) {
      if (HostObject* const object = scene_.objects.find(call.arguments[0].bits)) ++object->references;
    } else if (call.info.begins("clRelease") && call.error == CL_SUCCESS) {
      release(call.arguments[0].bits, call);
    } else if (call.info.name.find("Free") != std::string_view::npos && call.error == CL_SUCCESS) {
      free(call);
    } else if (call.info.begins("clSetKernelArg") && call.error == CL_SUCCESS) {
      rememberArgument(call);
    } else {
      created(call);
    }
  }

  void finish(int exitStatus) override {
    // A program that ends with an error leaves its objects to the system.
    if (exitStatus != 0) return;
    std::vector<const HostObject*> left;
    for (const auto& [handle, object] : scene_.objects.all())
      if (!object.isDead() && !scene_.notReleased.contains(handle)) left.push_back(&object);
    std::ranges::sort(left, {}, [](const HostObject* object) { return object->created.number; });
    for (const HostObject* const object : left) {
      const std::string times = object->references == 1 ? "" : fmt::format(", {} times", object->references);
      scene_.report(Kind::LeakedObject, object->created, fmt::format("{} is never released", object->name),
                    fmt::format("{} was to be released{} before the program ended; it was created by {}", object->name,
                                times, object->words));
    }
  }

private:
  void requireAlive(std::uint64_t handle, const HostCall& call, bool isRelease) const {
    const HostObject* const object = scene_.objects.find(handle);
    if (!object || !object->isDead()) return;
    const std::vector<HostScene::Other> others = {
        {object->released, fmt::format("{} was released here for the last time", object->name)},
        {object->created, "and created here"}};
    if (isRelease)
      scene_.report(Kind::ReleasedTwice, CallSite(call), fmt::format("{} is released once too often", object->name),
                    scene_.objects.inWords(call), others);
    else
      scene_.report(Kind::UseAfterRelease, CallSite(call), fmt::format("{} is used after its release", object->name),
                    scene_.objects.inWords(call), others);
  }

  /// Classes of objects that kernels have as arguments.
  static bool isArgument(ValueKind kind) {
    return kind == ValueKind::Memory || kind == ValueKind::Sampler || kind == ValueKind::Queue;
  }

  void requireArguments(const HostCall& call) const {
    const auto found = arguments_.find(call.at("kernel"));
    // Other threads release what they have set, without this launch in mind.
    if (found == arguments_.end() || scene_.sharedKernels.contains(call.at("kernel"))) return;
    for (const auto& [index, memory] : found->second) {
      const HostObject* const object = scene_.objects.find(memory.first);
      // The handle may be that of a later object.
      if (!object || !object->isDead() || object->created.number != memory.second) continue;
      scene_.report(Kind::UseAfterRelease, CallSite(call),
                    fmt::format("{}, argument {} of the kernel, is used after its release", object->name, index),
                    scene_.objects.inWords(call),
                    {{object->released, fmt::format("{} was released here for the last time", object->name)},
                     {object->created, "and created here"}});
    }
  }

  void rememberArgument(const HostCall& call) {
    auto& arguments = arguments_[call.at("kernel")];
    arguments.erase(call.at<cl_uint>("arg_index"));
    if (!call.is("clSetKernelArg")) {
      if (const HostObject* const shared = scene_.objects.sharedAt(call.at("arg_value")))
        arguments[call.at<cl_uint>("arg_index")] = {shared->handle, shared->created.number};
      return;
    }
    if (!call.givenHandle()) return;
    const HostObject* const object = scene_.objects.find(*call.givenHandle());
    if (object && isArgument(object->kind))
      arguments[call.at<cl_uint>("arg_index")] = {object->handle, object->created.number};
  }

  void release(std::uint64_t handle, const HostCall& call) {
    HostObject* const object = scene_.objects.find(handle);
    if (!object) return;
    if (--object->references != 0) return;
    object->released = CallSite(call);
    arguments_.erase(handle);
    if (object->kind == ValueKind::Event) scene_.order.released(Value{.bits = handle}.as<cl_event>());
  }

  void free(const HostCall& call) {
    if (call.is("clEnqueueSVMFree")) {
      if (const auto* const list = call.at<void* const*>("svm_pointers"))
        for (cl_uint i = 0; i < call.at<cl_uint>("num_svm_pointers"); ++i) release(Value::of(list[i]).bits, call);
      return;
    }
    release(call.at(call.is("clSVMFree") ? "svm_pointer" : "ptr"), call);
  }

  void created(const HostCall& call) const {
    HostObjects& objects = scene_.objects;
    const bool isResult = call.result.bits != 0 && call.info.name.find("Get") == std::string_view::npos;
    if (isHandle(call.result.kind) && isResult)
      objects.add(call.result.kind, call.result.bits, call);
    else if (call.result.kind == ValueKind::Pointer && isResult &&
             call.info.name.find("Alloc") != std::string_view::npos)
      objects.add(ValueKind::Pointer, call.result.bits, call);
    if (call.error != CL_SUCCESS) return;
    if (call.info.begins("clEnqueue") && call.wantsEvent) {
      objects.add(ValueKind::Event, Value::of(*call.at<const cl_event*>("event")).bits, call);
    } else if (call.is("clCreateKernelsInProgram") && call.at("kernels")) {
      const auto* const count = call.at<const cl_uint*>("num_kernels_ret");
      const cl_uint kernels = count ? *count : call.at<cl_uint>("num_kernels");
      for (cl_uint i = 0; i < kernels; ++i)
        if (const cl_kernel kernel = call.at<const cl_kernel*>("kernels")[i])
          objects.add(ValueKind::Kernel, Value::of(kernel).bits, call);
    } else if (call.is("clCreateSubDevices") && call.at("out_devices")) {
      const auto* const count = call.at<const cl_uint*>("num_devices_ret");
      const cl_uint devices = count ? *count : call.at<cl_uint>("num_devices");
      for (cl_uint i = 0; i < devices; ++i)
        objects.add(ValueKind::Device, Value::of(call.at<const cl_device_id*>("out_devices")[i]).bits, call);
    }
  }

  HostScene& scene_;
  /// Objects by kernel and index, with the calls that created them.
  std::map<std::uint64_t, std::map<cl_uint, std::pair<std::uint64_t, std::uint64_t>>> arguments_;
};

}  // namespace

HostCheckRef lifetimeCheck(HostScene& scene) { return std::make_unique<LifetimeCheck>(scene); }

}  // namespace clarity::check

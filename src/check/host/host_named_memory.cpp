// SPDX-License-Identifier: Apache-2.0
// This file finds shared memory that a kernel reaches through pointers in other shared memory and that the program has
// not named: a device may leave such memory elsewhere. The content at the launch is looked through for addresses, where
// the kernel's argument has numbers that may be some.
#include "check/host/host_checks.h"
#include "check/host/host_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::check {
namespace {

class NamedMemoryCheck final : public HostCheck {
public:
  explicit NamedMemoryCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    constexpr unsigned mostTimes = 3;  // of each place
    if (!call.is("clEnqueueNDRangeKernel")) return;
    const auto found = kernels_.find(call.at("kernel"));
    if (found == kernels_.end() || found->second.namesAll || ++searches_[call.frames] > mostTimes) return;
    std::set<std::uint64_t> named = found->second.named;
    std::vector<std::uint64_t> ofPointers;
    for (const auto& [index, argument] : found->second.arguments) {
      named.insert(argument.memory);
      if (argument.mayHavePointers) ofPointers.push_back(argument.memory);
    }
    // Elements of lists lead on to the next ones.
    if (!ofPointers.empty())
      ofPointers.insert(ofPointers.end(), found->second.named.begin(), found->second.named.end());
    for (const std::uint64_t from : ofPointers)
      if (const HostObject* const missing = unnamedIn(from, named)) return report(call, from, *missing);
  }

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS) return;
    if (call.is("clSetKernelArgSVMPointer")) {
      const auto index = call.at<cl_uint>("arg_index");
      auto& arguments = kernels_[call.at("kernel")].arguments;
      arguments.erase(index);
      if (const HostObject* const memory = scene_.objects.sharedAt(call.at("arg_value")))
        arguments[index] = {memory->handle, mayHavePointers(call)};
    } else if (call.is("clSetKernelExecInfo")) {
      nameMemory(call);
    } else if (call.is("clReleaseKernel")) {
      const HostObject* const object = scene_.objects.find(call.at("kernel"));
      if (object && object->isDead()) kernels_.erase(object->handle);
    }
  }

private:
  struct Argument {
    std::uint64_t memory = 0;
    bool mayHavePointers = false;
  };
  struct Kernel {
    std::map<cl_uint, Argument> arguments;
    std::set<std::uint64_t> named;
    bool namesAll = false;
  };

  /// Whether the elements of the argument have integers of the size of a pointer.
  bool mayHavePointers(const HostCall& call) const {
    const compiler::KernelInfo* const kernel = scene_.services.kernelOf(call.at<cl_kernel>("kernel"));
    const auto index = call.at<cl_uint>("arg_index");
    return kernel && index < kernel->args.size() && kernel->args[index].layout.find("i8@") != std::string::npos;
  }

  void nameMemory(const HostCall& call) {
    Kernel& kernel = kernels_[call.at("kernel")];
    if (call.at<cl_kernel_exec_info>("param_name") != CL_KERNEL_EXEC_INFO_SVM_PTRS) {
      kernel.namesAll = true;
      return;
    }
    kernel.named.clear();
    const auto* const list = call.at<const void* const*>("param_value");
    for (std::size_t i = 0; list && i < call.at("param_value_size") / sizeof *list; ++i)
      if (const HostObject* const memory = scene_.objects.sharedAt(Value::of(list[i]).bits))
        kernel.named.insert(memory->handle);
  }

  /// Shared memory that a pointer in other memory leads to, and that is not among these; null: none.
  const HostObject* unnamedIn(std::uint64_t from, const std::set<std::uint64_t>& named) const {
    constexpr std::size_t most = 64 << 10;  // bytes that are looked at
    const HostObject* const object = scene_.objects.find(from);
    if (!object || object->isDead()) return nullptr;
    std::vector<std::uint64_t> words(std::min<std::size_t>(object->bytes, most) / sizeof(std::uint64_t));
    if (words.empty() || !PageWatch::read(words.data(), from, words.size() * sizeof words[0])) return nullptr;
    for (const std::uint64_t word : words) {
      const HostObject* const target = word ? scene_.objects.sharedAt(word) : nullptr;
      if (target && !named.contains(target->handle) && target->created.name() == "clSVMAlloc") return target;
    }
    return nullptr;
  }

  void report(const HostCall& call, std::uint64_t from, const HostObject& missing) const {
    scene_.report(Kind::SvmNotNamed, CallSite(call),
                  fmt::format("{} reaches {}, which is not among its arguments and was not named",
                              scene_.objects.nameOf(ValueKind::Kernel, call.at("kernel")), missing.name),
                  fmt::format("a pointer in {} leads there; {}", scene_.objects.nameOf(ValueKind::Pointer, from),
                              scene_.objects.inWords(call)),
                  {{missing.created, fmt::format("{} was created here", missing.name)}});
  }

  HostScene& scene_;
  std::map<std::uint64_t, Kernel> kernels_;
  std::map<Frames, unsigned> searches_;
};

}  // namespace

HostCheckRef namedMemoryCheck(HostScene& scene) { return std::make_unique<NamedMemoryCheck>(scene); }

}  // namespace clarity::check

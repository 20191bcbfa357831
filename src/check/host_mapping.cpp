// SPDX-License-Identifier: Apache-2.0
// This file follows mapped regions, and memory of CL_MEM_USE_HOST_PTR, which is the application's only while it is
// mapped.
#include "check/host_checks.h"
#include "check/host_watch.h"
#include "device/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>

namespace clarity::check {
namespace {

class MappingCheck final : public HostCheck {
public:
  explicit MappingCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    if (call.is("clEnqueueUnmapMemObject")) requireComplete(call);
    if (call.info.begins("clEnqueue")) {
      for (const Use& use : usesOf(call)) {
        requireUnmapped(call, use);
        requireUnchanged(call, use.memory);
      }
    }
    if (call.is("clReleaseMemObject")) released(call.at("memobj"));
  }

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS) return;
    if (call.is("clEnqueueUnmapMemObject")) {
      const auto found = std::ranges::find(mappings_, call.at("mapped_ptr"), &Mapping::pointer);
      if (found != mappings_.end()) mappings_.erase(found);
    } else if (call.is("clSetKernelArg")) {
      const bool isHandle = call.at("arg_size") == sizeof(cl_mem) && call.at("arg_value");
      arguments_[call.at("kernel")][call.at<cl_uint>("arg_index")] =
          isHandle ? *call.at<const std::uint64_t*>("arg_value") : 0;
    } else if (call.info.begins("clCreateBuffer") && (call.at("flags") & CL_MEM_USE_HOST_PTR) &&
               call.at("size") <= mostHashed) {
      HostMemory& memory = hostMemory_[call.result.bits];
      memory = {.address = call.at("host_ptr"), .bytes = call.at("size")};
      settle(memory);
    }
  }

  void enqueued(const CommandRef& command, const HostCall& call) override {
    if (call.is("clEnqueueMapBuffer") || call.is("clEnqueueMapImage")) {
      const bool isBuffer = call.is("clEnqueueMapBuffer");
      mappings_.push_back({.command = command,
                           .memory = call.at(isBuffer ? "buffer" : "image"),
                           .pointer = call.result.bits,
                           .offset = call.at("offset"),
                           .bytes = isBuffer ? call.at("size") : ~std::uint64_t{0},
                           .forWriting = call.at<cl_map_flags>("map_flags") != CL_MAP_READ});
    }
    for (auto& [handle, memory] : hostMemory_)
      if (mayUse(call, handle)) {
        memory.hash = 0;
        memory.users.push_back(command);
      }
  }

  void known(HostCommand& command) override {
    for (auto& [handle, memory] : hostMemory_) {
      if (std::ranges::find(memory.users, &command, &CommandRef::get) == memory.users.end()) continue;
      std::erase_if(memory.users, [](const CommandRef& user) { return user->knownAt != 0; });
      if (memory.users.empty() && !isMapped(handle)) settle(memory);
    }
  }

  void finish(int exitStatus) override {
    if (exitStatus != 0) return;
    for (const Mapping& mapping : mappings_) reportMapped(mapping, "the program ends");
  }

private:
  static constexpr std::uint64_t mostHashed = std::uint64_t{256} << 20;

  struct Mapping {
    CommandRef command;
    std::uint64_t memory = 0, pointer = 0, offset = 0, bytes = 0;
    bool forWriting = false;
  };
  /// Memory of the application that is a buffer's. The hash is that of its content while no command uses it and it is
  /// not mapped; 0: it may change.
  struct HostMemory {
    std::uint64_t address = 0, bytes = 0, hash = 0;
    std::vector<CommandRef> users{};  ///< commands that may use it
  };
  struct Use {
    std::uint64_t memory = 0;
    bool writes = false;
    std::uint64_t offset = 0, bytes = ~std::uint64_t{0};
  };

  static void settle(HostMemory& memory) { memory.hash = PageWatch::hash(memory.address, memory.bytes); }

  bool isMapped(std::uint64_t memory) const {
    return std::ranges::find(mappings_, memory, &Mapping::memory) != mappings_.end();
  }

  /// The memory objects that a command uses. Only parts that it certainly does.
  std::vector<Use> usesOf(const HostCall& call) {
    std::vector<Use> uses;
    if (call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask")) {
      const compiler::KernelInfo* const kernel = scene_.services.kernelOf(call.at<cl_kernel>("kernel"));
      for (const auto& [index, handle] : arguments_[call.at("kernel")])
        if (const HostObject* const object = scene_.objects.find(handle); object && object->kind == ValueKind::Memory) {
          constexpr std::uint64_t isConst = CL_KERNEL_ARG_TYPE_CONST;
          const bool readOnly = kernel && index < kernel->args.size() && (kernel->args[index].typeQualifiers & isConst);
          uses.push_back({.memory = handle, .writes = !readOnly && !(object->flags & CL_MEM_READ_ONLY)});
        }
    } else if (call.is("clEnqueueReadBuffer") || call.is("clEnqueueWriteBuffer") || call.is("clEnqueueFillBuffer")) {
      uses.push_back({call.at("buffer"), !call.is("clEnqueueReadBuffer"), call.at("offset"), call.at("size")});
    } else if (call.is("clEnqueueCopyBuffer")) {
      uses.push_back({call.at("src_buffer"), false, call.at("src_offset"), call.at("size")});
      uses.push_back({call.at("dst_buffer"), true, call.at("dst_offset"), call.at("size")});
    } else if (call.is("clEnqueueMapBuffer") || call.is("clEnqueueUnmapMemObject")) {
      uses.push_back({.memory = call.at(call.has("buffer") ? "buffer" : "memobj"), .bytes = 0});
    }
    return uses;
  }

  /// Whether a command may use a memory object: one among its arguments, those of its kernel, or unknown ones.
  bool mayUse(const HostCall& call, std::uint64_t memory) {
    const auto isPart = [&](std::uint64_t handle) {
      const HostObject* const object = scene_.objects.find(handle);
      return handle == memory || (object && object->parent == memory);
    };
    for (const Value& argument : call.arguments)
      if (argument.kind == ValueKind::Memory && isPart(argument.bits)) return true;
    if (!call.is("clEnqueueNDRangeKernel") && !call.is("clEnqueueTask"))
      return call.is("clEnqueueNativeKernel") || call.is("clEnqueueCommandBufferKHR") ||
             call.is("clEnqueueMigrateMemObjects");
    return std::ranges::any_of(arguments_[call.at("kernel")], [&](const auto& each) { return isPart(each.second); });
  }

  void requireUnmapped(const HostCall& call, const Use& use) const {
    for (const Mapping& mapping : mappings_) {
      const bool overlaps = use.bytes != 0 && mapping.memory == use.memory &&
                            use.offset < mapping.offset + mapping.bytes &&
                            (use.bytes == ~std::uint64_t{0} || mapping.offset < use.offset + use.bytes);
      if (!overlaps || (!use.writes && !mapping.forWriting)) continue;
      scene_.report(Kind::MappedInUse, CallSite(call),
                    fmt::format("{} is used while it is mapped", scene_.objects.nameOf(ValueKind::Memory, use.memory)),
                    scene_.objects.inWords(call), {{mapping.command->site, "it was mapped here"}});
      return;
    }
  }

  void requireUnchanged(const HostCall& call, std::uint64_t handle) {
    const auto found = hostMemory_.find(handle);
    if (found == hostMemory_.end() || found->second.hash == 0) return;
    HostMemory& memory = found->second;
    const std::uint64_t now = PageWatch::hash(memory.address, memory.bytes);
    const HostObject* const object = scene_.objects.find(handle);
    if (now == memory.hash || !object) return;
    memory.hash = 0;
    scene_.report(
        now ? Kind::HostPointerUse : Kind::HostMemoryFreed, CallSite(call),
        now ? fmt::format("the memory of {} (CL_MEM_USE_HOST_PTR) was changed without being mapped", object->name)
            : fmt::format("the memory of {} (CL_MEM_USE_HOST_PTR) was freed before the buffer", object->name),
        scene_.objects.inWords(call), {{object->created, "the buffer was created here"}});
  }

  /// A region was unmapped before the application could know that it was mapped.
  void requireComplete(const HostCall& call) {
    const auto found = std::ranges::find(mappings_, call.at("mapped_ptr"), &Mapping::pointer);
    if (found == mappings_.end() || found->command->knownAt != 0) return;
    scene_.report(Kind::ResultTooEarly, found->command->site,
                  "nothing waits for a region to be mapped before it is used and unmapped",
                  fmt::format("what {} returns may be used when the command has ended", found->command->site.name()),
                  {{CallSite(call), "it is unmapped here"}});
  }

  void released(std::uint64_t handle) {
    const HostObject* const object = scene_.objects.find(handle);
    if (!object || object->references != 1) return;
    hostMemory_.erase(handle);
    for (auto each = mappings_.begin(); each != mappings_.end();) {
      if (each->memory == handle) reportMapped(*each, "the buffer is released");
      each = each->memory == handle ? mappings_.erase(each) : std::next(each);
    }
  }

  void reportMapped(const Mapping& mapping, const char* when) const {
    scene_.report(
        Kind::NeverUnmapped, mapping.command->site,
        fmt::format("a region of {} is never unmapped", scene_.objects.nameOf(ValueKind::Memory, mapping.memory)),
        fmt::format("{}, and the region that {} returned here is still mapped", when, mapping.command->site.name()));
  }

  HostScene& scene_;
  std::list<Mapping> mappings_;
  std::map<std::uint64_t, HostMemory> hostMemory_;
  std::map<std::uint64_t, std::map<cl_uint, std::uint64_t>> arguments_;  ///< handles by kernel and index
};

}  // namespace

HostCheckRef mappingCheck(HostScene& scene) { return std::make_unique<MappingCheck>(scene); }

}  // namespace clarity::check

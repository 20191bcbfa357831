// SPDX-License-Identifier: Apache-2.0
// This file compares the memory of commands that nothing orders: transfers by their arguments, kernels by what they
// have accessed.
#include "check/host/host_checks.h"
#include "check/host/kernel_arguments.h"
#include "check/host/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace clarity::check {
namespace {

/// Rows beyond these are left out.
constexpr std::size_t mostRows = 65536;

/// The rows of memory that begins at an address; none if it is 0.
std::vector<AddressRange> rangesOf(std::uint64_t address, const std::optional<Rows>& rows) {
  std::vector<AddressRange> result;
  if (!rows || address == 0) return result;
  rows->forEach([&](std::uint64_t offset, std::uint64_t bytes) {
    const std::uint64_t begin = address + rows->first + offset;
    result.push_back({begin, begin + bytes});
    return result.size() < mostRows;
  });
  std::ranges::sort(result, {}, &AddressRange::begin);
  return result;
}

std::optional<AddressRange> overlap(const std::vector<AddressRange>& a, const std::vector<AddressRange>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const AddressRange both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (both.begin < both.end) return both;
    a[i].end < b[j].end ? ++i : ++j;
  }
  return std::nullopt;
}

std::string_view verb(AccessKind kind) {
  return kind == AccessKind::Read ? "reads" : kind == AccessKind::Write ? "writes" : "atomically updates";
}

class CommandRaceCheck final : public HostCheck {
public:
  explicit CommandRaceCheck(HostScene& scene) : scene_(scene) {}

  void after(const HostCall& call) override {
    if (call.error == CL_SUCCESS) arguments_.ended(call, scene_.objects);
  }

  void enqueued(const CommandRef& command, const HostCall& call) override {
    if (!scene_.order.mayBeParallel()) return;
    command->words = scene_.objects.inWords(call);
    if (call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask")) {
      command->kernel = call.at("kernel");
      for (const auto& [index, handle] : arguments_.of(call)) command->arguments[index] = rootOf(handle);
      return;
    }
    addTransfer(*command, call);
  }

  void known(HostCommand& command) override {
    if (command.isUser() || command.isCompared) return;
    command.isCompared = true;
    if (command.accesses.empty() || command.status < 0) return;
    for (const CommandRef& other : scene_.order.live())
      if (other.get() != &command && other->isCompared && other->status >= 0)
        other->enqueuedAt < command.enqueuedAt ? compare(*other, command) : compare(command, *other);
  }

private:
  /// 0 for shared memory, which memory objects may be made of: it may be that of any command.
  std::uint64_t rootOf(std::uint64_t handle) const {
    const HostObject* const object = scene_.objects.find(handle);
    if (object && object->kind == ValueKind::Pointer) return 0;
    return object && object->parent ? object->parent : handle;
  }

  void add(HostCommand& command, cl_mem memory, AccessKind kind, std::vector<AddressRange> ranges) const {
    if (!ranges.empty())
      command.accesses.push_back(
          {.object = memory ? rootOf(Value::of(memory).bits) : 0, .kind = kind, .ranges = std::move(ranges)});
  }
  /// `bytes` at an offset of a buffer; all of it if that is 0.
  void add(HostCommand& command, cl_mem memory, AccessKind kind, std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint64_t address = scene_.services.addressOf(memory);
    if (bytes == 0) bytes = scene_.services.bytesOf(memory);
    if (address) add(command, memory, kind, {{address + offset, address + offset + bytes}});
  }
  /// Memory of the host.
  void add(HostCommand& command, const HostCall& call, std::string_view pointer, AccessKind kind) const {
    const std::uint64_t address = call.at(pointer);
    if (address) add(command, nullptr, kind, {{address, address + call.at("size")}});
  }

  std::vector<AddressRange> rows(const HostCall& call, cl_mem memory, std::string_view prefix) const {
    const std::string name(prefix);
    return rangesOf(scene_.services.addressOf(memory),
                    rowsOf(call.at<const std::size_t*>(name + "_origin"), call.at<const std::size_t*>("region"),
                           call.at(name + "_row_pitch"), call.at(name + "_slice_pitch")));
  }

  /// Bytes that the region of the call's image takes in a buffer.
  std::uint64_t texelBytes(const HostCall& call) const {
    const std::string_view image = call.has("src_image") ? "src_image" : "dst_image";
    const auto* const region = call.at<const std::size_t*>("region");
    const std::uint64_t texel = scene_.services.layoutOf(call.at<cl_mem>(image)).texelBytes;
    return region ? texel * region[0] * region[1] * region[2] : 0;
  }

  std::vector<AddressRange> texels(const HostCall& call, std::string_view image, std::string_view origin) const {
    const auto* const from = call.at<const std::size_t*>(origin);
    const auto* const region = call.at<const std::size_t*>("region");
    const ImageLayout layout = scene_.services.layoutOf(call.at<cl_mem>(image));
    if (!from || !region || layout.texelBytes == 0) return {};
    const std::size_t first[3] = {from[0] * layout.texelBytes, from[1], from[2]};
    const std::size_t size[3] = {region[0] * layout.texelBytes, region[1], region[2]};
    return rangesOf(scene_.services.addressOf(call.at<cl_mem>(image)),
                    rowsOf(first, size, layout.isArrayOf1D ? layout.slicePitch : layout.rowPitch, layout.slicePitch));
  }

  void addTransfer(HostCommand& command, const HostCall& call) const {
    using Form = CallAccess::Form;
    const std::uint64_t size = call.at("size");
    for (const CallAccess& access : call.info.accesses) {
      const auto memory = call.at<cl_mem>(access.parameter);
      switch (access.form) {
        case Form::Bytes: add(command, memory, access.kind, call.at(access.place), size); break;
        case Form::Rows: add(command, memory, access.kind, rows(call, memory, access.place)); break;
        case Form::Texels: add(command, memory, access.kind, texels(call, access.parameter, access.place)); break;
        case Form::TexelBytes: add(command, memory, access.kind, call.at(access.place), texelBytes(call)); break;
        case Form::Host: add(command, call, access.parameter, access.kind); break;
      }
    }
  }

  void compare(const HostCommand& first, const HostCommand& second) const {
    if (first.queue == second.queue && first.inOrder) return;
    for (const MemoryAccess& a : first.accesses)
      for (const MemoryAccess& b : second.accesses) {
        if ((a.kind == b.kind && a.kind != AccessKind::Write) || !mayBeSame(objectOf(first, a), objectOf(second, b)))
          continue;
        const std::optional<AddressRange> both = overlap(a.ranges, b.ranges);
        if (!both) continue;
        if (scene_.order.isOrdered(first, second) || scene_.order.isOrdered(second, first)) return;
        report(first, a, second, b, *both);
        return;
      }
  }

  /// Memory of an object that was released may be that of another one.
  static bool mayBeSame(std::uint64_t a, std::uint64_t b) { return a == b || a == 0 || b == 0; }

  static std::uint64_t objectOf(const HostCommand& command, const MemoryAccess& access) {
    if (access.argument < 0) return access.object;
    const auto found = command.arguments.find(static_cast<cl_uint>(access.argument));
    return found == command.arguments.end() ? 0 : found->second;
  }

  void report(const HostCommand& first, const MemoryAccess& a, const HostCommand& second, const MemoryAccess& b,
              const AddressRange& both) const {
    // Launches whose arguments other threads have changed access what the program does not mean.
    if (scene_.sharedKernels.contains(first.kernel) || scene_.sharedKernels.contains(second.kernel)) return;
    const std::uint64_t handle = objectOf(first, a) ? objectOf(first, a) : objectOf(second, b);
    const std::uint64_t address = handle ? scene_.services.addressOf(Value{.bits = handle}.as<cl_mem>()) : 0;
    const std::string name = handle ? scene_.objects.nameOf(ValueKind::Memory, handle) : "memory of the host";
    const std::string where =
        address && both.begin >= address
            ? fmt::format("bytes {} to {} of {}", both.begin - address, both.end - address - 1, name)
            : fmt::format("{} bytes of {}", both.end - both.begin, name);
    scene_.report(Kind::CommandRace, second.site,
                  fmt::format("nothing orders this command after another one that accesses the same memory: {}", name),
                  fmt::format("{} {} {}", second.words, verb(b.kind), where),
                  {{first.site, fmt::format("{} {} the same memory", first.site.name(), verb(a.kind))}});
  }

  HostScene& scene_;
  KernelArguments arguments_;
};

}  // namespace

HostCheckRef commandRaceCheck(HostScene& scene) { return std::make_unique<CommandRaceCheck>(scene); }

}  // namespace clarity::check

// SPDX-License-Identifier: Apache-2.0
// This file finds reads of memory of which nothing has written a single byte: a kernel that was never launched, or
// wrote elsewhere. Where a part was written, the program may know which. A region that is mapped for reading has to be
// read.
#include "check/host/host_checks.h"
#include "check/host/rows.h"
#include "support/observer_hooks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace clarity::check {
namespace {

class ReadBackCheck final : public HostCheck {
public:
  explicit ReadBackCheck(HostScene& scene) : scene_(scene) {}

  void enqueued(const CommandRef& command, const HostCall& call) override {
    if (const std::optional<Read> read = readOf(call)) reads_[command->enqueuedAt] = *read;
  }

  void known(HostCommand& command) override {
    const auto found = reads_.find(command.enqueuedAt);
    if (found == reads_.end()) return;
    const Read read = found->second;
    reads_.erase(found);
    const HostObject* const object = scene_.objects.find(read.memory);
    if (!object || object->isDead() || command.status < 0) return;
    const std::uint64_t address = scene_.services.addressOf(Value{.bits = read.memory}.as<cl_mem>());
    if (address == 0) return;
    bool isNew = read.rows.extent() != 0;
    read.rows.forEach([&](std::uint64_t offset, std::uint64_t bytes) {
      isNew = isNew && __clarity_shadow_all(address + read.rows.first + offset, bytes);
      return isNew;
    });
    // So may be a command that is still under way.
    const bool isAlone = std::ranges::none_of(scene_.order.live(), [&](const CommandRef& other) {
      return other.get() != &command && other->knownAt == 0 && !other->isUser();
    });
    if (!isNew || !isAlone) return;
    if (read.isMap)
      maps_[command.enqueuedAt | mapBit] = {command.site, read.memory, address + read.rows.first, read.rows.extent()};
    else
      report(command.site, *object, read.rows.extent());
  }

  void after(const HostCall& call) override {
    constexpr unsigned mostCalls = 4;
    if (call.info.begins("clEnqueueUnmap"))
      std::erase_if(maps_, [&](const auto& each) { return each.second.memory == call.at("memobj"); });
    for (auto& [owner, map] : maps_)
      if (map.calls++ < mostCalls) scene_.stepped.push_back({owner, map.address, map.bytes});
  }

  void touched(const std::vector<StepWatch::Touch>& touches) override {
    for (const StepWatch::Touch& touch : touches) {
      const auto found = maps_.find(touch.owner);
      if (found == maps_.end()) continue;
      const Map map = found->second;
      maps_.erase(found);
      const HostObject* const object = scene_.objects.find(map.memory);
      if (object && !object->isDead() && !touch.writes) report(map.site, *object, map.bytes);
    }
  }

private:
  /// The bit of StepWatch::Range::owner that says that it is the command of a map.
  static constexpr std::uint64_t mapBit = std::uint64_t{1} << 63;

  void report(const CallSite& site, const HostObject& object, std::uint64_t bytes) const {
    // Another mistake may be why nothing was written.
    if (scene_.hasFailed || scene_.reporter.hasOfKernels()) return;
    scene_.report(Kind::Uninitialised, site,
                  fmt::format("the host reads {}, of which nothing was ever written", object.name),
                  fmt::format("{} gets {} bytes that no kernel, transfer or mapping has written", site.name(), bytes),
                  {{object.created, fmt::format("{} was created here, without a content", object.name)}}, object.name);
  }

  struct Read {
    std::uint64_t memory = 0;
    Rows rows;
    bool isMap = false;
  };
  struct Map {
    CallSite site;
    std::uint64_t memory = 0, address = 0, bytes = 0;
    unsigned calls = 0;  ///< behind which its touches were looked for
  };

  std::optional<Read> readOf(const HostCall& call) const {
    const bool isMap = call.is("clEnqueueMapBuffer") || call.is("clEnqueueMapImage");
    if (isMap && call.at<cl_map_flags>("map_flags") != CL_MAP_READ) return std::nullopt;
    if (call.is("clEnqueueReadBuffer") || call.is("clEnqueueMapBuffer")) {
      Rows rows;
      rows.first = call.at("offset");
      rows.rowBytes = call.at("size");
      return Read{call.at("buffer"), rows, isMap};
    }
    std::optional<Rows> rows;
    if (call.is("clEnqueueReadBufferRect"))
      rows = rowsOf(call.at<const std::size_t*>("buffer_origin"), call.at<const std::size_t*>("region"),
                    call.at("buffer_row_pitch"), call.at("buffer_slice_pitch"));
    else if (call.is("clEnqueueReadImage") || call.is("clEnqueueMapImage"))
      rows = rowsOfImage(call);
    const std::uint64_t memory = call.at(call.has("buffer") ? "buffer" : "image");
    return rows ? std::optional(Read{memory, *rows, isMap}) : std::nullopt;
  }

  std::optional<Rows> rowsOfImage(const HostCall& call) const {
    const auto* const from = call.at<const std::size_t*>("origin");
    const auto* const region = call.at<const std::size_t*>("region");
    const ImageLayout layout = scene_.services.layoutOf(call.at<cl_mem>("image"));
    if (!from || !region || layout.texelBytes == 0) return std::nullopt;
    const std::array<std::size_t, 3> first{from[0] * layout.texelBytes, from[1], from[2]};
    const std::array<std::size_t, 3> size{region[0] * layout.texelBytes, region[1], region[2]};
    return rowsOf(first.data(), size.data(), layout.isArrayOf1D ? layout.slicePitch : layout.rowPitch,
                  layout.slicePitch);
  }

  HostScene& scene_;
  std::map<std::uint64_t, Read> reads_;  ///< by command
  std::map<std::uint64_t, Map> maps_;    ///< regions that were never written, by command with mapBit
};

}  // namespace

HostCheckRef readBackCheck(HostScene& scene) { return std::make_unique<ReadBackCheck>(scene); }

}  // namespace clarity::check

// SPDX-License-Identifier: Apache-2.0
// This file finds reads and maps of memory of which nothing has written a single byte: a kernel that was never launched,
// or wrote elsewhere. Where a part was written, the program may know which.
#include "check/host_checks.h"
#include "check/rows.h"
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
    // Another mistake may be why nothing was written.
    if (!isNew || scene_.hasFailed || scene_.reporter.hasOfKernels()) return;
    scene_.report(Kind::Uninitialised, command.site,
                  fmt::format("the host reads {}, of which nothing was ever written", object->name),
                  fmt::format("{} gets {} bytes that no kernel, transfer or mapping has written", command.site.name(),
                              read.rows.extent()),
                  {{object->created, fmt::format("{} was created here, without a content", object->name)}},
                  object->name);
  }

private:
  struct Read {
    std::uint64_t memory = 0;
    Rows rows;
  };

  std::optional<Read> readOf(const HostCall& call) const {
    const bool isMap = call.is("clEnqueueMapBuffer") || call.is("clEnqueueMapImage");
    if (isMap && call.at<cl_map_flags>("map_flags") != CL_MAP_READ) return std::nullopt;
    if (call.is("clEnqueueReadBuffer") || call.is("clEnqueueMapBuffer")) {
      Rows rows;
      rows.first = call.at("offset");
      rows.rowBytes = call.at("size");
      return Read{call.at("buffer"), rows};
    }
    std::optional<Rows> rows;
    if (call.is("clEnqueueReadBufferRect"))
      rows = rowsOf(call.at<const std::size_t*>("buffer_origin"), call.at<const std::size_t*>("region"),
                    call.at("buffer_row_pitch"), call.at("buffer_slice_pitch"));
    else if (call.is("clEnqueueReadImage") || call.is("clEnqueueMapImage"))
      rows = rowsOfImage(call);
    const std::uint64_t memory = call.at(call.has("buffer") ? "buffer" : "image");
    return rows ? std::optional(Read{memory, *rows}) : std::nullopt;
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
};

}  // namespace

HostCheckRef readBackCheck(HostScene& scene) { return std::make_unique<ReadBackCheck>(scene); }

}  // namespace clarity::check

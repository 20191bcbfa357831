// SPDX-License-Identifier: Apache-2.0
// This file compares the bytes of a transfer with those that the host's memory has: a variable has the size of its
// type, which debugging information knows, a block of malloc() the one that is written ahead of it. A transfer that
// would write behind the end is made shorter, so that the program goes on.
#include "check/host/host_checks.h"
#include "check/host/host_heap.h"
#include "check/host/host_place.h"
#include "check/host/host_python.h"
#include "check/host/host_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clarity::check {
namespace {

/// The place of the pointer in a function of C, and in the method of opencl.hpp that makes the call.
struct Uses {
  PointerUse ofC, ofClass;
};
constexpr std::array uses = {
    Uses{{"clEnqueueReadBuffer", 5}, {"enqueueReadBuffer", 4}},
    Uses{{"clEnqueueWriteBuffer", 5}, {"enqueueWriteBuffer", 4}},
    Uses{{"clEnqueueReadBufferRect", 10}, {"enqueueReadBufferRect", 9}},
    Uses{{"clEnqueueWriteBufferRect", 10}, {"enqueueWriteBufferRect", 9}},
    Uses{{"clEnqueueReadImage", 7}, {"enqueueReadImage", 6}},
    Uses{{"clEnqueueWriteImage", 7}, {"enqueueWriteImage", 6}},
    Uses{{"clCreateBuffer", 3}, {"Buffer", 3}},
};

struct Given {
  std::uint64_t bytes;  ///< from the pointer on
  std::string words;
};

class MemorySizeCheck final : public HostCheck {
public:
  explicit MemorySizeCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    const std::optional<HostRows> rows = rowsOf(call);
    if (!rows || rows->extent() == 0 || scene_.objects.sharedAt(rows->begin())) return;
    const std::optional<Given> given = givenBy(call, *rows);
    if (!given || rows->extent() <= given->bytes) return;
    const bool creates = call.is("clCreateBuffer");
    scene_.report(Kind::HostMemoryTooSmall, CallSite(call),
                  fmt::format("{} {} memory of the host that has {}", call.info.name,
                              fmt::format(fmt::runtime(creates           ? "takes {} bytes from"
                                                       : rows->isWritten ? "writes {} bytes to"
                                                                         : "reads {} bytes of"),
                                          rows->extent()),
                              given->bytes),
                  fmt::format("{}; {}", given->words, scene_.objects.inWords(call)));
    if (creates || given->bytes == 0) return;
    call.has("size") ? call.set("size", given->bytes) : shorten(call, given->bytes);
  }

private:
  /// Takes slices, then rows, then the ends of rows from a region until it fits, so that the program goes on.
  void shorten(HostCall& call, std::uint64_t bytes) const {
    thread_local std::array<std::size_t, 3> region;  // the call reads it behind the lock
    const auto* const given = call.at<const std::size_t*>("region");
    if (!given) return;
    std::copy_n(given, region.size(), region.begin());
    call.set("region", static_cast<const std::size_t*>(region.data()));
    const auto fits = [&] {
      const std::optional<HostRows> rows = rowsOf(call);
      return rows && rows->extent() <= bytes;
    };
    for (auto size = region.rbegin(); size != region.rend(); ++size) {
      std::size_t most = *size - 1, least = 1;
      *size = 1;
      if (!fits()) continue;
      while (least < most) {
        *size = least + (most - least + 1) / 2;
        fits() ? least = *size : most = *size - 1;
      }
      *size = least;
      return;
    }
  }

  std::optional<HostRows> rowsOf(const HostCall& call) const {
    if (!call.is("clCreateBuffer")) {
      const bool isShared = call.has("dst_ptr") || call.has("svm_ptr");
      return isShared ? std::nullopt : hostRowsOf(call, scene_.services);
    }
    if (!call.at("host_ptr")) return std::nullopt;
    HostRows rows;
    rows.parameter = "host_ptr";
    rows.pointer = call.at("host_ptr");
    rows.rowBytes = call.at("size");
    return rows;
  }

  std::optional<Given> givenBy(const HostCall& call, const HostRows& rows) {
    if (pythonSite(call.frames.front())) return std::nullopt;  // which compares sizes itself
    if (const auto variable = variableOf(call); variable && rows.begin() == rows.pointer)
      return Given{variable->type.bytes, fmt::format("'{}' has {} bytes", variable->name, variable->type.bytes)};
    constexpr unsigned mostTimes = 3;  // of each place: to search the heap takes long
    if (!HeapBlock::mayHold(rows.begin()) || ++searches_[call.frames] > mostTimes) return std::nullopt;
    const std::uint64_t bytes = HeapBlock::bytesFrom(rows.begin());
    if (bytes == 0) return std::nullopt;
    return Given{
        bytes, fmt::format(
                   "the block of malloc() or new that holds it ends {} bytes behind the pointer (sizes are rounded up)",
                   bytes)};
  }

  std::optional<GivenVariable> variableOf(const HostCall& call) {
    const auto [known, isNew] = variables_.try_emplace(call.frames);
    std::optional<GivenVariable>& given = known->second;
    const auto use = std::ranges::find_if(uses, [&](const Uses& each) { return call.is(each.ofC.function); });
    if (!isNew || use == uses.end()) return given;
    given = variableGiven(call.frames, std::span(&use->ofC, 1));
    if (given) return given;
    // Names of pointers are of this form, too.
    given = variableGiven(call.frames, std::span(&use->ofClass, 1));
    if (given && !given->type.isArray) given.reset();
    return given;
  }

  HostScene& scene_;
  std::map<Frames, std::optional<GivenVariable>> variables_;
  std::map<Frames, unsigned> searches_;
};

}  // namespace

HostCheckRef memorySizeCheck(HostScene& scene) { return std::make_unique<MemorySizeCheck>(scene); }

}  // namespace clarity::check

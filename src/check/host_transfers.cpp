// SPDX-License-Identifier: Apache-2.0
// This file watches memory of the host that non-blocking transfers use.
//
// The source of a write has to stay as it is until the application knows that the command has ended: a hash tells. The
// target of a read may not be touched. Where it has whole pages, the device writes to other memory in its place, the
// pages are inaccessible, and the result is copied to them when the application knows of the end.
#include "check/host_checks.h"
#include "check/host_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>

namespace clarity::check {
namespace {

/// The memory in place of that of the call on its way.
thread_local std::byte* ownTarget = nullptr;

class TransferCheck final : public HostCheck {
public:
  explicit TransferCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    tellTouches();
    ownTarget = nullptr;
    const std::uint64_t address = call.at("ptr"), bytes = call.at("size");
    if (call.is("clEnqueueWriteBuffer") && address) {
      // What an earlier read brings is in the memory in place of this one.
      for (Transfer& earlier : transfers_)
        if (earlier.target && earlier.contains(address, bytes)) {
          call.set("ptr", static_cast<const void*>(earlier.target + (address - earlier.address)));
          earlier.isKept = true;
        }
    } else if (call.is("clEnqueueReadBuffer") && address && mayBeReplaced(call)) {
      ownTarget = new std::byte[bytes];
      if (!PageWatch::read(ownTarget, address, bytes)) {
        delete[] std::exchange(ownTarget, nullptr);
        return;
      }
      call.set("ptr", static_cast<void*>(ownTarget));
      given_ = address;
    } else if (call.at("host_ptr") || call.info.name.find("SVM") != std::string_view::npos || call.at("ptr")) {
      // Others use the memory as it is.
      for (Transfer& earlier : transfers_)
        if (earlier.target) PageWatch::end(earlier.command->enqueuedAt);
    }
  }

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS && call.is("clEnqueueReadBuffer")) delete[] std::exchange(ownTarget, nullptr);
  }

  void enqueued(const CommandRef& command, const HostCall& call) override {
    const std::uint64_t bytes = call.at("size");
    if (call.is("clEnqueueReadBuffer")) {
      const std::uint64_t address = ownTarget ? given_ : call.at("ptr");
      forgetSources(address, bytes);
      if (command->isBlocking && !ownTarget) return;
      transfers_.push_back(
          {.command = command, .address = address, .bytes = bytes, .isRead = true, .target = ownTarget});
      if (!std::exchange(ownTarget, nullptr)) return;
      transfers_.back().hash = PageWatch::hash(address, bytes);
      if (!command->isBlocking) PageWatch::begin(command->enqueuedAt, address, bytes);
    } else if (call.is("clEnqueueWriteBuffer") && !command->isBlocking && !isDeviceMemory(call.at("ptr"), bytes)) {
      transfers_.push_back({.command = command, .address = call.at("ptr"), .bytes = bytes});
      transfers_.back().hash = PageWatch::hash(call.at("ptr"), bytes);
    }
  }

  void known(HostCommand& command) override {
    tellTouches();
    const auto found = std::ranges::find(transfers_, &command, [](const Transfer& each) { return each.command.get(); });
    if (found == transfers_.end()) return;
    if (found->isRead)
      deliver(*found);
    else if (PageWatch::hash(found->address, found->bytes) != found->hash)
      reportSource(*found);
    if (found->target && !found->isKept) delete[] found->target;
    transfers_.erase(found);
  }

  void finish(int exitStatus) override {
    tellTouches();
    for (Transfer& transfer : transfers_) {
      PageWatch::end(transfer.command->enqueuedAt);
      if (!transfer.isRead || exitStatus != 0) continue;
      scene_.report(Kind::ResultTooEarly, transfer.command->site,
                    "nothing waits for the end of a read that does not block",
                    fmt::format("what {} reads is not there before the command has ended, and the program ends without "
                                "having waited for it",
                                transfer.command->site.name()));
    }
  }

private:
  struct Transfer {
    CommandRef command;
    std::uint64_t address = 0, bytes = 0;
    bool isRead = false;
    std::byte* target = nullptr;  ///< where the device writes in place of `address`; null: there
    bool isKept = false;          ///< a later command reads from it
    bool isTouched = false;
    std::uint64_t hash = 0;

    bool overlaps(std::uint64_t other, std::uint64_t count) const {
      return other < address + bytes && address < other + count;
    }
    bool contains(std::uint64_t other, std::uint64_t count) const {
      return other >= address && other + count <= address + bytes;
    }
  };

  bool mayBeReplaced(const HostCall& call) const {
    const std::uint64_t address = call.at("ptr"), bytes = call.at("size");
    if (bytes == 0 || isDeviceMemory(address, bytes)) return false;
    // A later read of the same memory has to come after an earlier one.
    const bool comesAfter = std::ranges::any_of(
        transfers_, [&](const Transfer& earlier) { return earlier.target && earlier.overlaps(address, bytes); });
    return comesAfter || (!call.isBlockingTransfer() && PageWatch::hasPages(address, bytes));
  }

  /// Memory that kernels may write: no one's alone.
  bool isDeviceMemory(std::uint64_t address, std::uint64_t bytes) const {
    return std::ranges::any_of(scene_.objects.all(), [&](const auto& each) {
      const HostObject& object = each.second;
      if (object.isDead() || (object.kind != ValueKind::Memory && object.kind != ValueKind::Pointer)) return false;
      const std::uint64_t begin = object.kind == ValueKind::Pointer ? object.handle
                                  : object.flags & CL_MEM_USE_HOST_PTR
                                      ? object.hostPointer
                                      : scene_.services.addressOf(Value{.bits = object.handle}.as<cl_mem>());
      return begin != 0 && address < begin + object.bytes && begin < address + bytes;
    });
  }

  /// A read brings other bytes to where a write takes its own from.
  void forgetSources(std::uint64_t address, std::uint64_t bytes) {
    std::erase_if(transfers_, [&](const Transfer& each) { return !each.isRead && each.overlaps(address, bytes); });
  }

  void deliver(Transfer& transfer) {
    if (!transfer.target) return;
    PageWatch::end(transfer.command->enqueuedAt);
    const std::uint64_t hash = PageWatch::hash(transfer.address, transfer.bytes);
    if (hash == 0) {
      scene_.report(Kind::HostMemoryFreed, transfer.command->site,
                    "the memory that a read writes to was freed before the command had ended",
                    fmt::format("{} bytes at {:#x}", transfer.bytes, transfer.address));
      return;
    }
    if (hash != transfer.hash && !transfer.isTouched)
      scene_.report(Kind::ResultTooEarly, transfer.command->site,
                    "the memory that a read writes to was changed before the command had ended",
                    fmt::format("{} bytes at {:#x}, between the call and the end of the command", transfer.bytes,
                                transfer.address));
    if (transfer.command->status == CL_COMPLETE) PageWatch::write(transfer.address, transfer.target, transfer.bytes);
    for (Transfer& other : transfers_)
      if (&other != &transfer && other.target && other.overlaps(transfer.address, transfer.bytes))
        other.hash = PageWatch::hash(other.address, other.bytes);
  }

  void reportSource(const Transfer& transfer) const {
    const bool isGone = PageWatch::hash(transfer.address, transfer.bytes) == 0;
    scene_.report(isGone ? Kind::HostMemoryFreed : Kind::SourceChanged, transfer.command->site,
                  isGone ? "the memory that a write takes its bytes from was freed before the command had ended"
                         : "the memory that a write takes its bytes from was changed before the command had ended",
                  fmt::format("{} bytes at {:#x}, which {} may copy at any time until the program has waited for it",
                              transfer.bytes, transfer.address, transfer.command->site.name()));
  }

  void tellTouches() {
    for (const PageWatch::Touch& touch : PageWatch::takeTouches()) {
      const auto found =
          std::ranges::find(transfers_, touch.owner, [](const Transfer& each) { return each.command->enqueuedAt; });
      if (found == transfers_.end()) continue;
      found->isTouched = true;
      CallSite site = found->command->site;
      site.frames = touch.frames;
      scene_.report(
          Kind::ResultTooEarly, site, "the target of a read is used before the command has ended",
          fmt::format("byte {} of what {} reads", touch.address - found->address, found->command->site.name()),
          {{found->command->site, "the read was enqueued here"}});
    }
  }

  HostScene& scene_;
  std::list<Transfer> transfers_;
  std::uint64_t given_ = 0;  ///< what ownTarget is in place of
};

}  // namespace

HostCheckRef transferCheck(HostScene& scene) { return std::make_unique<TransferCheck>(scene); }

}  // namespace clarity::check

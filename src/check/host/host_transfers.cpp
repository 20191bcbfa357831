// SPDX-License-Identifier: Apache-2.0
// This file watches memory of the host that non-blocking transfers use.
//
// The source of a write has to stay as it is until the application knows that the command has ended: a hash tells. The
// target of a read may not be touched. Where it has whole pages, the device writes to other memory in its place, the
// pages are inaccessible, and the result is copied to them when the application knows of the end. The processor watches
// some bytes of smaller ones, and of those ahead of the pages; what the first instructions behind a call touch of them
// is looked up (host_steps.h).
#include "check/host/host_byte_watch.h"
#include "check/host/host_checks.h"
#include "check/host/host_place.h"
#include "check/host/host_python.h"
#include "check/host/host_rows.h"
#include "check/host/host_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace clarity::check {
namespace {

/// The memory in place of that of the call on its way, and what of the host's memory it stands for.
thread_local std::byte* ownTarget = nullptr;
thread_local HostRows callRows;

constexpr auto transfers = PageWatch::Watcher::Transfers;

class TransferCheck final : public HostCheck {
public:
  explicit TransferCheck(HostScene& scene) : scene_(scene) {}

  void before(HostCall& call) override {
    tellTouches();
    ownTarget = nullptr;
    const std::optional<HostRows> rows = rowsOf(call);
    if (rows && !rows->isWritten) {
      // An earlier read's bytes are in the memory in place of this one's.
      for (Transfer& earlier : transfers_)
        if (earlier.target && earlier.contains(rows->begin(), rows->extent())) {
          call.set(rows->parameter, earlier.target + (rows->begin() - earlier.begin()) - rows->first);
          earlier.isKept = true;
        }
    } else if (rows && mayBeReplaced(call, *rows)) {
      ownTarget = new std::byte[rows->extent()];
      if (!PageWatch::read(ownTarget, rows->begin(), rows->extent())) {
        delete[] std::exchange(ownTarget, nullptr);
        return;
      }
      call.set(rows->parameter, ownTarget - rows->first);
      callRows = *rows;
    } else if (call.at("host_ptr") || call.info.name.find("SVM") != std::string_view::npos || call.at("ptr")) {
      // Others use the memory as it is.
      for (Transfer& earlier : transfers_)
        if (earlier.target) {
          PageWatch::end(transfers, earlier.owner());
          ByteWatch::end(transfers, earlier.owner());
        }
    }
    ByteWatch::pause();
  }

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS && ownTarget) delete[] std::exchange(ownTarget, nullptr);
    ByteWatch::resume();
    stepThrough(call);
  }

  void touched(const std::vector<StepWatch::Touch>& touches) override {
    for (const StepWatch::Touch& touch : touches) {
      const auto found = std::ranges::find(transfers_, touch.owner, &Transfer::owner);
      // deliver() reports memory that was freed.
      if (found == transfers_.end() || !touch.instruction || mayBeFreed(*found, touch)) continue;
      tell({{.owner = touch.owner, .address = touch.address, .frames = touch.frames}});
    }
  }

  void enqueued(const CommandRef& command, const HostCall& call) override {
    const std::optional<HostRows> rows = ownTarget ? callRows : rowsOf(call);
    if (!rows) return;
    if (rows->isWritten) {
      forgetSources(*rows);
      if (command->isBlocking && !ownTarget) return;
      transfers_.push_back({.command = command, .rows = *rows, .target = std::exchange(ownTarget, nullptr)});
      Transfer& transfer = transfers_.back();
      if (transfer.target) transfer.hash = transfer.contentHash();
      if (command->isBlocking) return;
      if (transfer.target) {
        PageWatch::begin(transfers, transfer.owner(), transfer.begin(), rows->extent());
        ByteWatch::begin(transfers, transfer.owner(), transfer.begin(), PageWatch::bytesAhead(transfer.begin()));
      } else if (!isDeviceMemory(transfer.begin(), rows->extent())) {
        ByteWatch::begin(transfers, transfer.owner(), transfer.begin(), rows->extent());
      }
    } else if (!command->isBlocking && !isDeviceMemory(rows->begin(), rows->extent())) {
      transfers_.push_back({.command = command, .rows = *rows});
      transfers_.back().hash = transfers_.back().contentHash();
      transfers_.back().mappedBytes = PageWatch::mappedBytes(rows->begin());
    }
  }

  void known(HostCommand& command) override {
    tellTouches();
    const auto found = std::ranges::find(transfers_, &command, [](const Transfer& each) { return each.command.get(); });
    if (found == transfers_.end()) return;
    ByteWatch::end(transfers, found->owner());
    if (found->rows.isWritten)
      deliver(*found);
    else if (found->contentHash() != found->hash)
      reportSource(*found);
    if (found->target && !found->isKept) delete[] found->target;
    transfers_.erase(found);
  }

  void finish(int exitStatus) override {
    tellTouches();
    for (Transfer& transfer : transfers_) {
      PageWatch::end(transfers, transfer.owner());
      ByteWatch::end(transfers, transfer.owner());
      if (!transfer.rows.isWritten || exitStatus != 0 || transfer.isTouched) continue;
      scene_.notAwaited.insert(transfer.owner());
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
    HostRows rows;
    std::byte* target = nullptr;  ///< where the device writes in place of begin(); null: there
    bool isKept = false;          ///< a later command reads from it
    bool isTouched = false;
    std::uint64_t hash = 0, mappedBytes = 0;

    std::uint64_t owner() const { return command->enqueuedAt; }
    std::uint64_t begin() const { return rows.begin(); }
    bool overlaps(const HostRows& other) const {
      return other.begin() < begin() + rows.extent() && begin() < other.begin() + other.extent();
    }
    bool contains(std::uint64_t other, std::uint64_t count) const {
      return other >= begin() && other + count <= begin() + rows.extent();
    }
    /// 0: the memory is gone.
    std::uint64_t contentHash() const {
      std::uint64_t all = 1;
      const bool isThere = rows.forEach([&](std::uint64_t offset, std::uint64_t bytes) {
        const std::uint64_t part = PageWatch::hash(begin() + offset, bytes);
        all = (all ^ part) * 0x9FB21C651E98DF25u + 1;
        return part != 0;
      });
      return isThere ? all | 1 : 0;
    }
  };

  /// Rows of the host's memory, in a copy between it and shared memory too.
  std::optional<HostRows> rowsOf(const HostCall& call) const {
    std::optional<HostRows> rows = hostRowsOf(call, scene_.services);
    if (!rows || rows->parameter != "dst_ptr" || !isDeviceMemory(rows->begin(), rows->extent())) return rows;
    rows->parameter = "src_ptr";
    rows->pointer = call.at("src_ptr");
    rows->isWritten = false;
    if (isDeviceMemory(rows->begin(), rows->extent())) return std::nullopt;
    return rows;
  }

  bool mayBeReplaced(const HostCall& call, const HostRows& rows) const {
    if (rows.extent() == 0 || isDeviceMemory(rows.begin(), rows.extent())) return false;
    // A later read of the same memory has to come after an earlier one.
    const bool comesAfter = std::ranges::any_of(
        transfers_, [&](const Transfer& earlier) { return earlier.target && earlier.overlaps(rows); });
    // Bytes between rows may be used.
    return comesAfter ||
           (!call.isBlockingTransfer() && rows.isWhole() && PageWatch::hasPages(rows.begin(), rows.extent()));
  }

  /// Whether free() may be what touches: it writes to a block, and reads its second word.
  static bool mayBeFreed(const Transfer& transfer, const StepWatch::Touch& touch) {
    constexpr std::uint64_t wordOfFree = 8;
    return PageWatch::isFreed(transfer.begin(), transfer.rows.extent()) ||
           (isOfLibrary(touch.touching, "libc.so") && (touch.writes || touch.address == transfer.begin() + wordOfFree));
  }

  /// Looks for touches of what has no whole pages, behind the first few calls of each place.
  void stepThrough(const HostCall& call) {
    constexpr unsigned mostTimes = 3;
    constexpr std::size_t mostPlaces = 2000;
    std::vector<StepWatch::Range> ranges;
    for (const Transfer& transfer : transfers_) {
      if (!transfer.rows.isWritten || transfer.isTouched || transfer.command->isBlocking || !transfer.rows.isWhole())
        continue;
      const std::uint64_t end = transfer.begin() + transfer.rows.extent();
      const std::uint64_t tail = transfer.target ? PageWatch::bytesBehind(end) : 0;
      const std::uint64_t head = transfer.target ? PageWatch::bytesAhead(transfer.begin()) : transfer.rows.extent();
      // The system finds pages that are inaccessible, and tells no one but the program.
      ranges.push_back({.owner = transfer.owner(),
                        .address = transfer.begin(),
                        .bytes = transfer.rows.extent(),
                        .systemOnly = true});
      if (head) ranges.push_back({.owner = transfer.owner(), .address = transfer.begin(), .bytes = head});
      if (tail) ranges.push_back({.owner = transfer.owner(), .address = end - tail, .bytes = tail});
    }
    // An interpreter calls from few places.
    if (ranges.empty() || pythonSite(call.frames.front()) || stepped_.size() > mostPlaces) return;
    if (++stepped_[call.frames] > mostTimes) return;
    scene_.stepped.insert(scene_.stepped.end(), ranges.begin(), ranges.end());
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
  void forgetSources(const HostRows& rows) {
    std::erase_if(transfers_, [&](const Transfer& each) { return !each.rows.isWritten && each.overlaps(rows); });
  }

  std::string memoryText(const Transfer& transfer) const {
    return fmt::format("{} bytes at {:#x}", transfer.rows.extent(), transfer.begin());
  }

  void deliver(Transfer& transfer) {
    if (!transfer.target) return;
    const bool isGone = !transfer.isTouched && !PageWatch::isIntact(transfers, transfer.owner());
    if (isGone)
      PageWatch::forget(transfers, transfer.owner());
    else
      PageWatch::end(transfers, transfer.owner());
    const std::uint64_t hash = isGone ? 0 : transfer.contentHash();
    const bool isChanged = hash != transfer.hash && !transfer.isTouched;
    if (transfer.isTouched && hash == 0) return;
    // At the end of the process nothing has waited, which is why it is so.
    if (hash != transfer.hash && !transfer.isTouched && transfer.command->knownAt > scene_.now) {
      scene_.notAwaited.insert(transfer.owner());
      scene_.report(Kind::ResultTooEarly, transfer.command->site,
                    "nothing waits for the end of a read that does not block",
                    memoryText(transfer) + " were freed or changed, and the program ends without having waited for it");
      return;
    }
    if (hash == 0 || (isChanged && PageWatch::isFreed(transfer.begin(), transfer.rows.extent()))) {
      scene_.report(Kind::HostMemoryFreed, transfer.command->site,
                    "the memory that a read writes to was freed before the command had ended", memoryText(transfer));
      return;
    }
    if (isChanged)
      scene_.report(Kind::ResultTooEarly, transfer.command->site,
                    "the memory that a read writes to was changed before the command had ended",
                    memoryText(transfer) + ", between the call and the end of the command");
    if (transfer.command->status == CL_COMPLETE)
      transfer.rows.forEach([&](std::uint64_t offset, std::uint64_t bytes) {
        return PageWatch::write(transfer.begin() + offset, transfer.target + offset, bytes);
      });
    for (Transfer& other : transfers_)
      if (&other != &transfer && other.target && other.overlaps(transfer.rows)) other.hash = other.contentHash();
  }

  void reportSource(const Transfer& transfer) const {
    // Memory that was given back to the system may be someone else's now.
    const bool isGone = transfer.contentHash() == 0 || PageWatch::isFreed(transfer.begin(), transfer.rows.extent()) ||
                        PageWatch::mappedBytes(transfer.begin()) != transfer.mappedBytes;
    scene_.report(isGone ? Kind::HostMemoryFreed : Kind::SourceChanged, transfer.command->site,
                  isGone ? "the memory that a write takes its bytes from was freed before the command had ended"
                         : "the memory that a write takes its bytes from was changed before the command had ended",
                  fmt::format("{}, which {} may copy at any time until the program has waited for it",
                              memoryText(transfer), transfer.command->site.name()));
  }

  void tellTouches() {
    tell(ByteWatch::takeTouches(transfers));
    tell(PageWatch::takeTouches(transfers));
  }

  void tell(const std::vector<PageWatch::Touch>& touches) {
    for (const PageWatch::Touch& touch : touches) {
      const auto found = std::ranges::find(transfers_, touch.owner, &Transfer::owner);
      if (found == transfers_.end() || found->isTouched) continue;
      // The program may have freed the memory after it has used it.
      const bool isFreed =
          PageWatch::isFreed(found->begin(), found->rows.extent()) && isOfLibrary(touch.frames.front(), "libc.so");
      // deliver() reports memory that has pages.
      if (isFreed && found->target && touch.address < found->begin() + PageWatch::bytesAhead(found->begin())) continue;
      found->isTouched = true;
      scene_.notAwaited.insert(found->owner());
      CallSite site = found->command->site;
      site.frames = touch.frames;
      scene_.report(
          isFreed ? Kind::HostMemoryFreed : Kind::ResultTooEarly, site,
          isFreed ? "the memory that a read writes to was freed before the command had ended"
                  : "the target of a read is used before the command has ended",
          fmt::format("byte {} of what {} reads", touch.address - found->begin(), found->command->site.name()),
          {{found->command->site, "the read was enqueued here"}});
    }
  }

  HostScene& scene_;
  std::list<Transfer> transfers_;
  std::map<Frames, unsigned> stepped_;  ///< how often, by the place of the call
};

}  // namespace

HostCheckRef transferCheck(HostScene& scene) { return std::make_unique<TransferCheck>(scene); }

}  // namespace clarity::check

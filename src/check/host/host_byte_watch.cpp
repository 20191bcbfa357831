// SPDX-License-Identifier: Apache-2.0
// This file asks the system for breakpoints of the processor. Its signal handler uses nothing but the table of this
// file.
#include "check/host/host_byte_watch.h"

#include "check/host/host_touch.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

namespace clarity::check {
namespace {

// Older headers do not know signals of this kind.
#ifdef PERF_ATTR_SIZE_VER7
constexpr std::size_t wordBytes = 8;
/// The code of these signals, and the place of the event's own number in siginfo_t: the C library names neither.
constexpr int trapOfEvent = 6;
constexpr std::size_t numberOffset = 24;

struct Point {
  PageWatch::Watcher watcher{};
  std::atomic<std::uint64_t> owner{0};  ///< 0: free
  int file = -1;
  pid_t thread = 0;
  std::uint64_t address = 0;
  TouchRecord touch;
};

using Points = std::array<Point, 64>;
Points& points() {
  static auto& instance = *new Points;
  return instance;
}
Points* thePoints = nullptr;
std::atomic<unsigned> pointsInUse{0};
struct sigaction trapBefore;

std::uint64_t numberOf(const siginfo_t* info) {
  std::uint64_t number = 0;
  std::memcpy(&number, reinterpret_cast<const std::byte*>(info) + numberOffset, sizeof number);
  return number;
}

void onTrap(int signal, siginfo_t* info, void* context) {
  for (Point& point : *thePoints) {
    const bool isThis = info->si_code == trapOfEvent && numberOf(info) == reinterpret_cast<std::uintptr_t>(&point);
    if (point.owner == 0 || !isThis) continue;
    ::ioctl(point.file, PERF_EVENT_IOC_DISABLE, 0);
    if (point.touch.record(context)) point.touch.recordPlace();
    return;
  }
  // It may come when its watch has ended already.
  if (info->si_code == trapOfEvent) return;
  if (passToHandler(trapBefore, signal, info, context)) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool installTrap() {
  TouchRecord::prepare();
  thePoints = &points();
  struct sigaction action{};
  action.sa_sigaction = &onTrap;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  return ::sigaction(SIGTRAP, &action, &trapBefore) == 0;
}

/// Accesses to watch, and the check that they are for.
struct Request {
  PageWatch::Watcher watcher{};
  std::uint64_t owner = 0;
  PageWatch::Accesses accesses{};
};

/// False: the thread has no breakpoint left, or may have none.
bool watchWord(const Request& request, std::uint64_t address, std::size_t bytes) {
  const auto free = std::ranges::find_if(points(), [](const Point& point) { return point.owner == 0; });
  if (free == points().end()) return false;
  perf_event_attr what;
  std::memset(&what, 0, sizeof what);
  what.size = sizeof what;
  what.type = PERF_TYPE_BREAKPOINT;
  what.bp_type = request.accesses == PageWatch::Accesses::All ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
  what.bp_addr = address;
  what.bp_len = bytes;
  what.sample_period = 1;
  what.exclude_kernel = what.exclude_hv = 1;
  what.sigtrap = what.remove_on_exec = 1;
  what.sig_data = reinterpret_cast<std::uintptr_t>(&*free);
  what.disabled = 1;
  const long file = ::syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (file < 0) return false;
  free->file = static_cast<int>(file);
  free->thread = ::gettid();
  free->touch.reset();
  free->address = address;
  free->watcher = request.watcher;
  free->owner = request.owner;
  ++pointsInUse;
  return true;
}

/// The largest piece at an address that a breakpoint can be for.
std::size_t pieceAt(std::uint64_t address, std::size_t most) {
  std::size_t bytes = wordBytes;
  while (bytes > 1 && (bytes > most || address % bytes != 0)) bytes /= 2;
  return bytes;
}

void forOwnPoints(unsigned long request) {
  if (pointsInUse == 0) return;
  const pid_t own = ::gettid();
  for (Point& point : points())
    if (point.owner != 0 && point.thread == own && !point.touch.isRecorded()) ::ioctl(point.file, request, 0);
}
#endif

}  // namespace

#ifdef PERF_ATTR_SIZE_VER7
void ByteWatch::begin(PageWatch::Watcher watcher, std::uint64_t owner, std::uint64_t address, std::size_t bytes,
                      PageWatch::Accesses accesses) {
  static const bool installed = installTrap();
  if (!installed || bytes == 0) return;
  // The places where programs begin to read, where they end, and two between.
  const std::uint64_t last = address + bytes - pieceAt(address + bytes, bytes);
  const std::size_t first = pieceAt(address, bytes);
  const Request request{watcher, owner, accesses};
  if (!watchWord(request, address, first)) return;
  for (const std::uint64_t at : {last, address + first, address + bytes / 2 / wordBytes * wordBytes}) {
    const bool isNew = at >= address && at < address + bytes &&
                       std::ranges::none_of(
                           points(),
                           [&](const Point& point) {
                             return point.watcher == watcher && point.owner == owner && point.address == at;
                           });
    if (isNew && !watchWord(request, at, pieceAt(at, address + bytes - at))) return;
  }
}

void ByteWatch::end(PageWatch::Watcher watcher, std::uint64_t owner) {
  if (pointsInUse == 0) return;
  for (Point& point : points()) {
    if (point.owner != owner || point.watcher != watcher) continue;
    ::close(point.file);
    point.owner = 0;
    --pointsInUse;
  }
}

void ByteWatch::pause() { forOwnPoints(PERF_EVENT_IOC_DISABLE); }
void ByteWatch::resume() { forOwnPoints(PERF_EVENT_IOC_ENABLE); }

std::vector<PageWatch::Touch> ByteWatch::takeTouches(PageWatch::Watcher watcher) {
  std::vector<PageWatch::Touch> touches;
  if (pointsInUse == 0) return touches;
  for (Point& point : points()) {
    if (point.owner == 0 || point.watcher != watcher || !point.touch.takeUnreported()) continue;
    const bool isFirst =
        std::ranges::none_of(touches, [&](const PageWatch::Touch& other) { return other.owner == point.owner; });
    for (Point& other : points())
      if (other.owner == point.owner && other.watcher == watcher) (void)other.touch.takeUnreported();
    if (!isFirst) continue;
    touches.push_back({.owner = point.owner,
                       .address = point.address,
                       .frames = point.touch.frames(TouchRecord::Instruction::IsBehind)});
  }
  return touches;
}
#else
void ByteWatch::begin(PageWatch::Watcher, std::uint64_t, std::uint64_t, std::size_t, PageWatch::Accesses) {}
void ByteWatch::end(PageWatch::Watcher, std::uint64_t) {}
void ByteWatch::pause() {}
void ByteWatch::resume() {}
std::vector<PageWatch::Touch> ByteWatch::takeTouches(PageWatch::Watcher) { return {}; }
#endif

}  // namespace clarity::check

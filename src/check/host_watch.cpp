// SPDX-License-Identifier: Apache-2.0
// This file handles the faults of pages that are watched. The handler uses nothing but the table of this file.
#include "check/host_watch.h"

#include <execinfo.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <iterator>

namespace clarity::check {
namespace {

constexpr std::uint64_t pageBytes = 4096;

struct Watched {
  std::atomic<std::uint64_t> owner{0}, begin{0}, end{0};  ///< owner 0: free
  std::atomic<bool> isTouched{false}, isTold{false};
  std::uint64_t address = 0;
  void* frames[24] = {};
  int frameCount = 0;
  const void* instruction = nullptr;
};

std::array<Watched, 256>& table() {
  static auto& instance = *new std::array<Watched, 256>;
  return instance;
}
std::array<Watched, 256>* theTable = nullptr;
struct sigaction before;

void openPages(const Watched& watched) {
  ::mprotect(reinterpret_cast<void*>(watched.begin.load()), watched.end - watched.begin, PROT_READ | PROT_WRITE);
}

void onFault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  for (Watched& watched : *theTable) {
    if (watched.owner == 0 || address < watched.begin || address >= watched.end) continue;
    if (!watched.isTouched.exchange(true)) {
      watched.address = address;
      watched.instruction =
          reinterpret_cast<const void*>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
      watched.frameCount = ::backtrace(watched.frames, static_cast<int>(std::size(watched.frames)));
      openPages(watched);
    }
    return;
  }
  if (before.sa_flags & SA_SIGINFO) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    std::signal(signal, SIG_DFL);  // the access is made again, and ends the process
  }
}

void install() {
  theTable = &table();
  struct sigaction action{};
  action.sa_sigaction = &onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigaction(SIGSEGV, &action, &before);
}

std::uint64_t firstPage(std::uint64_t address) { return (address + pageBytes - 1) / pageBytes * pageBytes; }
std::uint64_t lastPage(std::uint64_t address, std::size_t bytes) { return (address + bytes) / pageBytes * pageBytes; }

}  // namespace

bool PageWatch::hasPages(std::uint64_t address, std::size_t bytes) {
  return firstPage(address) < lastPage(address, bytes);
}

bool PageWatch::begin(std::uint64_t owner, std::uint64_t address, std::size_t bytes) {
  static const bool installed = (install(), true);
  if (!installed || !hasPages(address, bytes)) return false;
  const auto place = std::ranges::find_if(table(), [](const Watched& watched) { return watched.owner == 0; });
  if (place == table().end()) return false;
  place->begin = firstPage(address);
  place->end = lastPage(address, bytes);
  place->isTouched = place->isTold = false;
  place->owner = owner;
  if (::mprotect(reinterpret_cast<void*>(place->begin.load()), place->end - place->begin, PROT_NONE) == 0) return true;
  place->owner = 0;
  return false;
}

void PageWatch::end(std::uint64_t owner) {
  for (Watched& watched : table()) {
    if (watched.owner != owner) continue;
    if (!watched.isTouched) openPages(watched);
    watched.owner = 0;
  }
}

std::vector<PageWatch::Touch> PageWatch::takeTouches() {
  std::vector<Touch> touches;
  for (Watched& watched : table()) {
    if (watched.owner == 0 || !watched.isTouched || watched.isTold.exchange(true)) continue;
    Touch touch{.owner = watched.owner, .address = watched.address};
    // Behind the handler and the kernel's frame comes the instruction itself, which is no return address.
    const auto* const frames = watched.frames;
    int first = 0;
    while (first < watched.frameCount && frames[first] != watched.instruction) ++first;
    touch.frames[0] = static_cast<const std::byte*>(watched.instruction) + 1;
    for (int i = first + 1, to = 1; i < watched.frameCount && to < static_cast<int>(touch.frames.size()); ++i, ++to)
      touch.frames[static_cast<std::size_t>(to)] = frames[i];
    touches.push_back(touch);
  }
  return touches;
}

bool PageWatch::read(void* to, std::uint64_t from, std::size_t bytes) {
  const iovec target{to, bytes}, source{reinterpret_cast<void*>(from), bytes};
  return ::process_vm_readv(::getpid(), &target, 1, &source, 1, 0) == static_cast<ssize_t>(bytes);
}

bool PageWatch::write(std::uint64_t to, const void* from, std::size_t bytes) {
  const iovec target{reinterpret_cast<void*>(to), bytes}, source{const_cast<void*>(from), bytes};
  return ::process_vm_writev(::getpid(), &source, 1, &target, 1, 0) == static_cast<ssize_t>(bytes);
}

std::uint64_t PageWatch::hash(std::uint64_t address, std::size_t bytes) {
  std::vector<std::uint64_t> block(8192);
  std::uint64_t hash = 0x9E3779B97F4A7C15u ^ bytes;
  for (std::size_t at = 0; at < bytes; at += block.size() * sizeof block[0]) {
    const std::size_t part = std::min(bytes - at, block.size() * sizeof block[0]);
    block[(part - 1) / sizeof block[0]] = 0;
    if (!read(block.data(), address + at, part)) return 0;
    for (std::size_t i = 0; i < (part + sizeof block[0] - 1) / sizeof block[0]; ++i)
      hash = (hash ^ block[i]) * 0x9FB21C651E98DF25u, hash ^= hash >> 29;
  }
  return hash ? hash : 1;
}

}  // namespace clarity::check

// SPDX-License-Identifier: Apache-2.0
// This file handles the faults of pages that are watched. The handler uses nothing but the table of this file.
#include "check/host/host_watch.h"

#include "check/host/host_touch.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace clarity::check {
namespace {

constexpr std::uint64_t pageBytes = 4096;

struct Watched {
  PageWatch::Watcher watcher{};
  std::atomic<std::uint64_t> owner{0}, begin{0}, end{0};  ///< owner 0: free
  std::uint64_t address = 0;
  bool isGuard = false;
  TouchRecord touch;
};

std::array<Watched, 256>& table() {
  static auto& instance = *new std::array<Watched, 256>;
  return instance;
}
std::array<Watched, 256>* theTable = nullptr;
struct sigaction faultBefore;

void openPages(const Watched& watched) {
  ::mprotect(reinterpret_cast<void*>(watched.begin.load()), watched.end - watched.begin, PROT_READ | PROT_WRITE);
}

/// Makes pages of a guard as they were.
void shutGuard(const Watched& watched) {
  void* const begin = reinterpret_cast<void*>(watched.begin.load());
  ::mprotect(begin, watched.end - watched.begin, PROT_NONE);
  ::madvise(begin, watched.end - watched.begin, MADV_DONTNEED);
}

void onFault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  for (Watched& watched : *theTable) {
    if (watched.owner == 0 || address < watched.begin || address >= watched.end) continue;
    if (watched.touch.record(context)) {
      watched.address = address;
      openPages(watched);  // which may be those that Python's state is in
      watched.touch.recordPlace();
    }
    return;
  }
  // Without a handler the access is made again, and ends the process.
  if (!passToHandler(faultBefore, signal, info, context)) std::signal(signal, SIG_DFL);
}

void installFault() {
  TouchRecord::prepare();
  theTable = &table();
  struct sigaction action{};
  action.sa_sigaction = &onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigaction(SIGSEGV, &action, &faultBefore);
}

/// Whether all pages are mapped and inaccessible.
bool isShut(std::uint64_t begin, std::uint64_t end) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (!maps) return true;
  std::uint64_t first = 0, last = 0;
  std::array<char, 5> access{};
  while (begin < end && std::fscanf(maps, "%" SCNx64 "-%" SCNx64 " %4s%*[^\n]", &first, &last, access.data()) == 3)
    if (begin >= first && begin < last && access[0] == '-' && access[1] == '-') begin = last;
  std::fclose(maps);
  return begin >= end;
}

/// The place of the next block's size in glibc's blocks, and the marks in small ones that are free.
constexpr std::uint64_t headerBytes = 8, smallestBlock = 32, mostCached = 1040, flagBits = 7, isUsedBit = 1,
                        isMappedBit = 2;

/// Read from a block that is free: behind its first word.
std::uint64_t markOfFree() {
  void* volatile block = std::malloc(smallestBlock);
  std::uint64_t mark = 0;
  const auto address = reinterpret_cast<std::uint64_t>(block);
  std::free(block);
  return PageWatch::read(&mark, address + headerBytes, sizeof mark) ? mark : 0;
}

std::uint64_t firstPage(std::uint64_t address) { return (address + pageBytes - 1) / pageBytes * pageBytes; }
std::uint64_t lastPage(std::uint64_t address, std::size_t bytes) { return (address + bytes) / pageBytes * pageBytes; }

}  // namespace

bool passToHandler(const struct sigaction& handler, int signal, siginfo_t* info, void* context) {
  if (handler.sa_flags & SA_SIGINFO)
    handler.sa_sigaction(signal, info, context);
  else if (handler.sa_handler != SIG_DFL && handler.sa_handler != SIG_IGN)
    handler.sa_handler(signal);
  else
    return false;
  return true;
}

bool PageWatch::hasPages(std::uint64_t address, std::size_t bytes) {
  return firstPage(address) < lastPage(address, bytes);
}

std::size_t PageWatch::bytesAhead(std::uint64_t address) { return firstPage(address) - address; }

std::size_t PageWatch::bytesBehind(std::uint64_t end) { return end % pageBytes; }

bool PageWatch::begin(Watcher watcher, std::uint64_t owner, std::uint64_t address, std::size_t bytes,
                      Accesses accesses) {
  static const bool installed = (installFault(), true);
  if (!installed || !hasPages(address, bytes)) return false;
  const auto place = std::ranges::find_if(table(), [](const Watched& watched) { return watched.owner == 0; });
  if (place == table().end()) return false;
  place->watcher = watcher;
  place->begin = firstPage(address);
  place->end = lastPage(address, bytes);
  place->touch.reset();
  place->owner = owner;
  place->isGuard = accesses == Accesses::Guard;
  const int allowed = accesses == Accesses::Writes ? PROT_READ : PROT_NONE;
  if (place->isGuard ||
      ::mprotect(reinterpret_cast<void*>(place->begin.load()), place->end - place->begin, allowed) == 0)
    return true;
  place->owner = 0;
  return false;
}

void PageWatch::end(Watcher watcher, std::uint64_t owner) {
  for (Watched& watched : table()) {
    if (watched.owner != owner || watched.watcher != watcher) continue;
    if (watched.isGuard && watched.touch.isRecorded())
      shutGuard(watched);
    else if (!watched.isGuard && !watched.touch.isRecorded())
      openPages(watched);
    watched.owner = 0;
  }
}

void PageWatch::forget(Watcher watcher, std::uint64_t owner) {
  for (Watched& watched : table())
    if (watched.owner == owner && watched.watcher == watcher) watched.owner = 0;
}

bool PageWatch::isIntact(Watcher watcher, std::uint64_t owner) {
  for (const Watched& watched : table())
    if (watched.owner == owner && watched.watcher == watcher)
      return !watched.touch.isRecorded() && isShut(watched.begin, watched.end);
  return true;
}

std::vector<PageWatch::Touch> PageWatch::takeTouches(Watcher watcher) {
  std::vector<Touch> touches;
  for (Watched& watched : table()) {
    if (watched.owner == 0 || watched.watcher != watcher) continue;
    if (!watched.touch.takeUnreported()) continue;
    touches.push_back({.owner = watched.owner,
                       .address = watched.address,
                       .frames = watched.touch.frames(TouchRecord::Instruction::IsNext)});
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

std::uint64_t PageWatch::mappedBytes(std::uint64_t address) {
  std::uint64_t size = 0;
  if (address % 16 != 0 || !read(&size, address - headerBytes, sizeof size) || !(size & isMappedBit)) return 0;
  return (size & ~flagBits) % pageBytes == 0 ? size & ~flagBits : 0;
}

bool PageWatch::isFreed(std::uint64_t address, std::size_t extent) {
  std::uint64_t size = 0, next = 0, word = 0;
  if (address % 16 != 0 || !read(&size, address - headerBytes, sizeof size)) return false;
  const std::uint64_t bytes = size & ~flagBits;
  // glibc's last block, which is never in use, ends where the heap does.
  const auto heapEnd = reinterpret_cast<std::uint64_t>(::sbrk(0));
  if (bytes > extent && address - 2 * headerBytes + bytes == heapEnd) return true;
  // Other memory than a block's has anything there.
  if (bytes < std::max(smallestBlock, extent + headerBytes) || bytes > 2 * extent + pageBytes || bytes % 16 != 0)
    return false;
  if (bytes <= mostCached) {
    const std::uint64_t mark = markOfFree();
    return mark != 0 && read(&word, address + headerBytes, sizeof word) && word == mark;
  }
  return read(&next, address - headerBytes + bytes, sizeof next) && next >= smallestBlock && !(next & isUsedBit);
}

}  // namespace clarity::check

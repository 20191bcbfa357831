// SPDX-License-Identifier: Apache-2.0
// This file takes backtraces in signal handlers.
#include "check/host/host_touch.h"

#include "check/host/host_python.h"

#include <execinfo.h>
#include <link.h>
#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace clarity::check {
namespace {

std::uint64_t cLibraryBegin = 0, cLibraryEnd = 0;

int findCLibrary(dl_phdr_info* object, std::size_t, void*) {
  const auto known = reinterpret_cast<std::uint64_t>(&std::malloc);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = object->dlpi_phdr[i];
    const std::uint64_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || known - begin >= part.p_memsz) continue;
    cLibraryBegin = begin;
    cLibraryEnd = begin + part.p_memsz;
    return 1;
  }
  return 0;
}

}  // namespace

void TouchRecord::prepare() {
  static const int found = ::dl_iterate_phdr(&findCLibrary, nullptr);
  (void)found;
}

bool TouchRecord::record(const void* context) {
  if (isRecorded_.exchange(true)) return false;
  instruction_ = reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  backtraceSize_ = ::backtrace(backtrace_.data(), static_cast<int>(backtrace_.size()));
  place_ = nullptr;
  return true;
}

void TouchRecord::recordPlace() {
  const auto address = reinterpret_cast<std::uint64_t>(instruction_);
  const bool isOutside = cLibraryBegin != 0 && (address < cLibraryBegin || address >= cLibraryEnd);
  place_ = isOutside ? pythonPlace() : nullptr;
}

Frames TouchRecord::frames(Instruction instruction) const {
  Frames result{};
  // First come the handler and the kernel's frame.
  int first = 0;
  while (first < backtraceSize_ && backtrace_[static_cast<std::size_t>(first)] != instruction_) ++first;
  result[0] = instruction == Instruction::IsNext ? static_cast<const std::byte*>(instruction_) + 1 : instruction_;
  std::size_t to = 1;
  for (int i = first + 1; i < backtraceSize_ && to < result.size(); ++i)
    result[to++] = backtrace_[static_cast<std::size_t>(i)];
  prepend(place_, result);
  return result;
}

void prepend(const void* place, Frames& frames) {
  if (!place) return;
  std::shift_right(frames.begin(), frames.end(), 1);
  frames.front() = place;
}

}  // namespace clarity::check

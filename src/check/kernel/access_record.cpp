// SPDX-License-Identifier: Apache-2.0
// This file turns the accesses of a kernel to ranges of addresses.
#include "check/kernel/access_record.h"

#include <algorithm>
#include <utility>

namespace clarity::check {
namespace {

class Recorder final : public device::LaunchObserver {
public:
  Recorder(const LaunchScene& scene, std::function<void(std::vector<MemoryAccess>)> done)
      : scene_(scene), done_(std::move(done)) {}

  void access(const device::ObservedAccess& access) override {
    const compiler::SiteKind kind = scene_.site(access.site).kind;
    const auto& buffers = scene_.launch.buffers;
    const bool isShared = std::ranges::any_of(
        buffers, [&](const device::ObservedMemory& buffer) { return access.address - buffer.address < buffer.bytes; });
    if (!isShared) return;
    record_.add(access.address, access.bytes,
                compiler::isAtomic(kind) ? AccessKind::Atomic
                : compiler::writes(kind) ? AccessKind::Write
                                         : AccessKind::Read);
  }

  void end(bool) override {
    std::vector<MemoryAccess> all;
    for (const device::ObservedMemory& buffer : scene_.launch.buffers)
      for (const AccessKind kind : {AccessKind::Read, AccessKind::Write, AccessKind::Atomic}) {
        std::vector<AddressRange> ranges = record_.ranges(buffer.address, buffer.bytes, kind);
        if (!ranges.empty())
          all.push_back(
              {.argument = static_cast<std::int32_t>(buffer.argument), .kind = kind, .ranges = std::move(ranges)});
      }
    done_(std::move(all));
  }

private:
  const LaunchScene& scene_;
  const std::function<void(std::vector<MemoryAccess>)> done_;
  AccessRecord record_;
};

}  // namespace

AccessRecord::Page& AccessRecord::pageOf(std::uint64_t number) {
  if (last_ && number == lastNumber_) return *last_;
  std::unique_ptr<Page>& page = pages_[number];
  if (!page) page = std::make_unique<Page>();
  lastNumber_ = number;
  return *(last_ = page.get());
}

void AccessRecord::add(std::uint64_t address, std::uint64_t bytes, AccessKind kind) {
  for (const std::uint64_t end = address + bytes; address < end; ++address)
    pageOf(address / pageBytes)[static_cast<std::size_t>(kind)][address % pageBytes / 64] |= std::uint64_t{1}
                                                                                             << address % 64;
}

std::vector<AddressRange> AccessRecord::ranges(std::uint64_t begin, std::uint64_t bytes, AccessKind kind) const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, page] : pages_)
    if (number >= begin / pageBytes && number * pageBytes < begin + bytes) numbers.push_back(number);
  std::ranges::sort(numbers);
  std::vector<AddressRange> result;
  for (const std::uint64_t number : numbers) {
    const auto& words = (*pages_.at(number))[static_cast<std::size_t>(kind)];
    for (std::uint64_t i = 0; i < pageBytes; ++i) {
      if (i % 64 == 0 && words[i / 64] == 0) {
        i += 63;
        continue;
      }
      const std::uint64_t address = number * pageBytes + i;
      if (!(words[i / 64] >> i % 64 & 1) || address < begin || address >= begin + bytes) continue;
      if (!result.empty() && result.back().end == address)
        ++result.back().end;
      else
        result.push_back({address, address + 1});
    }
  }
  return result;
}

Check accessRecorder(const LaunchScene& scene, std::function<void(std::vector<MemoryAccess>)> done) {
  return std::make_unique<Recorder>(scene, std::move(done));
}

}  // namespace clarity::check

// SPDX-License-Identifier: Apache-2.0
// This file says what is wrong with an access that was refused.
#include "check/kernel/checks.h"
#include "compiler/ir/image_descriptor.h"
#include "device/executable.h"
#include "support/flag_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace clarity::check {
namespace {

using compiler::Site;
using compiler::SiteObject;

/// Addresses below are null pointers with an index.
constexpr std::uint64_t leastAddress = 4096;

std::string bytesText(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

class MemoryCheck final : public device::LaunchObserver {
public:
  explicit MemoryCheck(const LaunchScene& scene) : scene_(scene) {}

  void refused(const device::RefusedAccess& refused) override {
    const Site& site = scene_.site(refused.access.site);
    Finding finding;
    finding.kernel = scene_.launch.kernel.name;
    finding.object = objectOf(site, refused);
    finding.party.place = site;
    describe(refused, site, finding);
    const std::uint64_t address = refused.bytes ? refused.begin : refused.access.address;
    if (const device::ObservedMemory* const buffer = bufferOf(site, address)) finding.memory = buffer->address;
    scene_.add(finding);
  }

  void texel(const device::ObservedTexel& texel) override {
    const Site& site = scene_.site(texel.site);
    const bool writes = compiler::writes(site.kind);
    Finding finding;
    finding.kind = Kind::OutOfBounds;
    finding.kernel = scene_.launch.kernel.name;
    finding.object = site.object == SiteObject::Argument ? scene_.objectOf(site) : "an image";
    finding.summary =
        fmt::format("kernel '{}' {} outside of {}", finding.kernel, writes ? "writes" : "reads", finding.object);
    std::string at, sizes;
    for (std::size_t i = 0; i < texel.sizes.size() && texel.sizes[i] != 0; ++i) {
      at += fmt::format("{}{}", i ? ", " : "", texel.at[i]);
      sizes += fmt::format("{}{}", i ? " x " : "", texel.sizes[i]);
    }
    finding.party = {
        site, fmt::format("{} {} texel ({}) of an image of {}{}", scene_.workItem(texel.globalId),
                          writes ? "writes" : "reads", at, sizes, writes ? "" : ", and no sampler says what is there")};
    scene_.add(finding);
  }

  void channels(const device::ObservedChannels& channels) override {
    const Site& site = scene_.site(channels.site);
    Finding finding;
    finding.kind = Kind::ImageChannels;
    finding.kernel = scene_.launch.kernel.name;
    finding.object = site.object == SiteObject::Argument ? scene_.objectOf(site) : "an image";
    const bool writes = compiler::writes(site.kind);
    finding.summary = fmt::format("kernel '{}' {} {} by a function for other channels than it has", finding.kernel,
                                  writes ? "writes" : "reads", finding.object);
    finding.party = {site, fmt::format("{} {} an image whose channels are {}", scene_.workItem(channels.globalId),
                                       writes ? "writes" : "reads", support::constantName(channels.type))};
    scene_.add(finding);
  }

  void sampler(const device::ObservedSampler& sampler) override {
    using compiler::SamplerBits;
    const Site& site = scene_.site(sampler.site);
    Finding finding;
    finding.kind = Kind::ImageSampler;
    finding.kernel = scene_.launch.kernel.name;
    finding.object = site.object == SiteObject::Argument ? scene_.objectOf(site) : "an image";
    finding.summary = fmt::format("kernel '{}' reads {} with a sampler that the function does not allow",
                                  finding.kernel, finding.object);
    const bool isNormalised = (sampler.sampler & SamplerBits::normalised) != 0;
    const bool isLinear = (sampler.sampler & SamplerBits::linear) != 0;
    const char* const why =
        sampler.isByIntegers && isNormalised ? "its coordinates are integers, and the sampler's are normalised"
        : sampler.isByIntegers && isLinear   ? "its coordinates are integers, and the filter is linear"
        : sampler.isByIntegers               ? "its coordinates are integers, and the sampler repeats the image"
        : isLinear                           ? "it reads integers, and the filter is linear"
                                             : "the sampler repeats the image, and its coordinates are not normalised";
    finding.party = {site, fmt::format("{} gets an undefined result: {}", scene_.workItem(sampler.globalId), why)};
    scene_.add(finding);
  }

private:
  void describe(const device::RefusedAccess& refused, const Site& site, Finding& finding) const {
    const device::ObservedAccess& access = refused.access;
    const std::string who = scene_.workItem(access.globalId);
    const char* const verb = compiler::isAtomic(site.kind) ? "atomically accesses"
                             : compiler::reads(site.kind)  ? "reads"
                                                           : "writes";
    const std::string subject = fmt::format("kernel '{}' {}", finding.kernel, verb);
    const device::ObservedMemory* const buffer = bufferOf(site, access.address);
    // A buffer whose flags forbid the access has no bytes for it; an array in a buffer is smaller than that.
    const bool isForbidden = buffer && refused.bytes == 0;
    const std::uint64_t begin = isForbidden ? buffer->address : refused.begin;
    const std::uint64_t bytes = isForbidden ? buffer->bytes : refused.bytes;
    const bool isPart = buffer && refused.bytes != 0 && refused.bytes < buffer->bytes;
    const bool isInside = bytes >= access.bytes && access.address - begin <= bytes - access.bytes;
    if (begin == 0 && bytes == 0) {
      finding.kind =
          access.address < leastAddress || site.object == SiteObject::Argument ? Kind::NullPointer : Kind::OutOfBounds;
      finding.summary = fmt::format("{} through {}, which is null", subject, finding.object);
      finding.party.what = fmt::format("{} {} {} at address {:#x}", who, verb, bytesText(access.bytes), access.address);
      return;
    }
    if (site.object == SiteObject::Constant && compiler::writes(site.kind) && bytes == 0) {
      finding.kind = Kind::WriteToReadOnly;
      finding.summary = fmt::format("{} {}", subject, finding.object);
      finding.party.what = fmt::format("{} {} {} of a constant", who, verb, bytesText(access.bytes));
      return;
    }
    if (isInside && buffer && compiler::writes(site.kind) && !buffer->writable) {
      finding.kind = Kind::WriteToReadOnly;
      finding.summary = fmt::format("{} {}, whose buffer is read-only for kernels", subject, finding.object);
    } else if (isInside && buffer && compiler::reads(site.kind) && !buffer->readable) {
      finding.kind = Kind::ReadOfWriteOnly;
      finding.summary = fmt::format("{} {}, whose buffer is write-only for kernels", subject, finding.object);
    } else if (isInside) {
      finding.kind = Kind::Misaligned;
      finding.summary = fmt::format("{} {} bytes of {} that are not aligned to {}", subject, access.bytes,
                                    finding.object, site.alignment);
    } else {
      finding.kind = Kind::OutOfBounds;
      finding.summary = fmt::format("{} outside of {}{}", subject, isPart ? "an array in " : "", finding.object);
      finding.help = helpFor(site);
    }
    finding.party.what = fmt::format("{} {} {}: {}", who, verb, bytesText(access.bytes),
                                     placeText(access, site, begin, bytes, isInside));
  }

  /// Empty: that of the kind, which is for buffers.
  std::string helpFor(const Site& site) const {
    const bool isLocalArgument = site.object == SiteObject::Argument &&
                                 scene_.launch.kernel.args[site.argument].kind == compiler::ArgKind::Local;
    if (isLocalArgument)
      return "give clSetKernelArg the size that the kernel needs for a work-group, or keep the index below the number "
             "of "
             "elements";
    switch (site.object) {
      case SiteObject::Local:
      case SiteObject::Private:
      case SiteObject::Global:
      case SiteObject::Constant:
      case SiteObject::Member:
        return "keep the index below the number of elements that the array is declared with, or declare it larger";
      default: return {};
    }
  }

  /// The argument that a pointer from memory was computed from, if there is one.
  std::string objectOf(const Site& site, const device::RefusedAccess& refused) const {
    if (site.object == SiteObject::Unknown && refused.bytes != 0)
      for (const device::ObservedMemory& buffer : scene_.launch.buffers)
        if (refused.begin - buffer.address < buffer.bytes)
          return LaunchScene::named(scene_.launch.kernel, buffer.argument);
    return scene_.objectOf(site);
  }

  /// The buffer of an argument, of which a refusal for its flags has no bytes.
  const device::ObservedMemory* bufferOf(const Site& site, std::uint64_t address) const {
    const auto buffers = scene_.launch.buffers;
    const auto found = std::ranges::find_if(buffers, [&](const device::ObservedMemory& buffer) {
      return site.object == SiteObject::Argument ? buffer.argument == site.argument
                                                 : address - buffer.address < buffer.bytes;
    });
    return found == buffers.end() || site.object == SiteObject::Local ? nullptr : &*found;
  }

  static std::string placeText(const device::ObservedAccess& access, const Site& site, std::uint64_t begin,
                               std::uint64_t bytes, bool isInside) {
    const std::uint64_t element = std::max<std::uint64_t>(site.elementBytes, 1);
    const auto offset = static_cast<std::int64_t>(access.address - begin);
    std::int64_t index = offset / static_cast<std::int64_t>(element);
    if (offset < 0 && offset % static_cast<std::int64_t>(element) != 0) --index;
    std::string text = element > 1 ? fmt::format("element {} ({} bytes each) of {}", index, element, bytes / element)
                                   : fmt::format("byte {} of {}", offset, bytes);
    if (isInside) return fmt::format("{}, at offset {}", text, offset);
    if (offset < 0) return fmt::format("{}, {} ahead of its beginning", text, bytesText(begin - access.address));
    const std::uint64_t behind = access.address - begin;
    if (behind < bytes)
      return fmt::format("{}, of which the last {} lie behind its end", text, bytesText(behind + access.bytes - bytes));
    return behind == bytes ? fmt::format("{}, just behind its end", text)
                           : fmt::format("{}, {} behind its end", text, bytesText(behind - bytes));
  }

  const LaunchScene& scene_;
};

}  // namespace

Check memoryCheck(const LaunchScene& scene) { return std::make_unique<MemoryCheck>(scene); }

}  // namespace clarity::check

// SPDX-License-Identifier: Apache-2.0
// This file reports mapped regions in use, memory that the host uses without mapping it, and regions that are never
// unmapped. The content of such memory (host_mapped_memory.h) is compared between commands and maps.
#include "check/host/host_byte_watch.h"
#include "check/host/host_checks.h"
#include "check/host/host_mapped_memory.h"
#include "check/host/host_place.h"
#include "check/host/host_python.h"
#include "check/host/host_uses.h"
#include "check/host/host_watch.h"
#include "device/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace clarity::check {
namespace {

class MappingCheck final : public HostCheck {
public:
  explicit MappingCheck(HostScene& scene) : scene_(scene), uses_(scene), memory_(scene) {}

  void before(HostCall& call) override {
    reportTouches();
    if (!isQuiet(call)) {
      ++callsUnderWay_;
      memory_.open();
    }
    if (isUnmap(call)) requireComplete(call);
    if (call.info.begins("clEnqueue")) {
      for (const MemoryUse& use : uses_.objectsOf(call)) {
        requireUnmapped(call, use);
        const HostObject* const object = scene_.objects.find(use.memory);
        requireUnchanged(call, object && object->parent ? object->parent : use.memory);
      }
    }
    if (call.is("clReleaseMemObject")) released(call.at("memobj"));
    if (call.is("clSVMFree") || call.is("clMemFreeINTEL"))
      freed(call, call.at(call.is("clSVMFree") ? "svm_pointer" : "ptr"));
  }

  void after(const HostCall& call) override {
    if (call.error == CL_SUCCESS)
      ended(call);
    else if (isUnmap(call))
      notUnmapped_.insert(call.at("memobj"));
    if (!isQuiet(call) && --callsUnderWay_ == 0) memory_.shut();
    stepThrough(call);
  }

  void touched(const std::vector<StepWatch::Touch>& touches) override {
    for (const StepWatch::Touch& touch : touches) {
      if (touch.owner & mappingBit) reportEarly(touch);
      if ((touch.owner & MappedMemory::gapBit) && touch.instruction)
        reportBeside(touch.address, touch.frames, touch.writes ? "writes" : "reads");
      const auto found = memory_.hostMemory.find(touch.owner);
      const HostObject* const object = scene_.objects.find(touch.owner);
      if (found == memory_.hostMemory.end() || !object || object->isDead() || !touch.instruction) continue;
      MappedMemory::HostMemory& memory = found->second;
      // A touch that the pages have reported is no second mistake.
      if (memory.users.empty() && memory.hash == 0) continue;
      memory.hash = 0;
      CallSite site = object->created;
      site.frames = touch.frames;
      site.number = scene_.now;
      std::vector<HostScene::Other> others;
      if (!memory.users.empty())
        others.push_back(
            {memory.users.front()->site, fmt::format("{} may still use it", memory.users.front()->site.name())});
      others.push_back({object->created, fmt::format("{} was created here", object->name)});
      scene_.report(
          Kind::HostPointerUse, site,
          memory.users.empty() ? fmt::format("the memory of {} is used by the host without being mapped", object->name)
                               : fmt::format("the host uses the memory of {} while a command may use it", object->name),
          fmt::format("the host {} byte {} of it", touch.writes ? "writes" : "reads", touch.address - memory.address),
          others);
    }
  }

  void enqueued(const CommandRef& command, const HostCall& call) override {
    if (call.is("clEnqueueMapBuffer") || call.is("clEnqueueMapImage")) {
      const bool isBuffer = call.is("clEnqueueMapBuffer");
      memory_.mappings.push_back({.command = command,
                                  .memory = call.at(isBuffer ? "buffer" : "image"),
                                  .pointer = call.result.bits,
                                  .offset = call.at("offset"),
                                  .bytes = isBuffer ? call.at("size") : MappedMemory::unknownBytes,
                                  .forWriting = call.at<cl_map_flags>("map_flags") != CL_MAP_READ});
    } else if (call.is("clEnqueueSVMMap")) {
      const HostObject* const object = scene_.objects.sharedAt(call.at("svm_ptr"));
      if (object && MappedMemory::isCoarse(*object))
        memory_.mappings.push_back({.command = command,
                                    .memory = object->handle,
                                    .pointer = call.at("svm_ptr"),
                                    .offset = call.at("svm_ptr") - object->handle,
                                    .bytes = call.at("size"),
                                    .forWriting = call.at<cl_map_flags>("flags") != CL_MAP_READ});
    }
    for (const std::uint64_t handle : uses_.sharedOf(call)) {
      std::vector<CommandRef>& users = sharedUsers_[handle];
      std::erase_if(users, [](const CommandRef& user) { return user->knownAt != 0; });
      users.push_back(command);
    }
    for (auto& [handle, memory] : memory_.hostMemory)
      if (uses_.mayUse(call, handle)) {
        // Memory that commands only read stays as it is, or the host changes it.
        const bool writes = uses_.mayWrite(call, handle);
        if (writes || isMapOrUnmap(call) || memory_.isShared(handle, memory)) memory.hash = 0;
        memory.isPrivate |= writes;
        memory.users.push_back(command);
      }
  }

  void known(HostCommand& command) override {
    for (MappedMemory::Mapping& mapping : memory_.mappings)
      if (mapping.command.get() == &command && !mapping.forWriting && mapping.bytes <= MappedMemory::mostHashed)
        mapping.hash = PageWatch::hash(mapping.pointer, mapping.bytes);
    for (auto& [handle, memory] : memory_.hostMemory) {
      if (std::ranges::find(memory.users, &command, &CommandRef::get) == memory.users.end()) continue;
      std::erase_if(memory.users, [](const CommandRef& user) { return user->knownAt != 0; });
      requireSteady(handle, memory, command);
      if (memory.users.empty() && !memory_.isMapped(handle)) MappedMemory::rehash(memory);
    }
  }

  void finish(int exitStatus) override {
    reportTouches();
    memory_.open();
    ++callsUnderWay_;  // the process ends
    if (exitStatus != 0) return;
    for (const MappedMemory::Mapping& mapping : memory_.mappings) reportMapped(mapping, "the program ends");
  }

private:
  /// Calls that leave memory alone.
  static bool isQuiet(const HostCall& call) {
    return call.info.begins("clGet") || call.info.begins("clSetKernelArg") || call.info.begins("clRetain");
  }
  static bool isUnmap(const HostCall& call) {
    return call.is("clEnqueueUnmapMemObject") || call.is("clEnqueueSVMUnmap");
  }
  static bool isMapOrUnmap(const HostCall& call) {
    return isUnmap(call) || call.is("clEnqueueMapBuffer") || call.is("clEnqueueMapImage") || call.is("clEnqueueSVMMap");
  }
  static std::uint64_t unmappedOf(const HostCall& call) {
    return call.at(call.is("clEnqueueSVMUnmap") ? "svm_ptr" : "mapped_ptr");
  }
  void ended(const HostCall& call) {
    uses_.ended(call);
    if (isUnmap(call)) {
      const auto found = std::ranges::find(memory_.mappings, unmappedOf(call), &MappedMemory::Mapping::pointer);
      if (found == memory_.mappings.end()) return;
      if (memory_.isDirect(*found)) memory_.regions.push_back({found->memory, found->pointer, found->bytes});
      memory_.mappings.erase(found);
    } else if (call.info.begins("clCreateBuffer") && (call.at("flags") & CL_MEM_USE_HOST_PTR)) {
      memory_.add(call.result.bits, call.at("host_ptr"), call.at("size"), /*isPrivate=*/false);
    } else if (call.info.begins("clCreateImage") && (call.at("flags") & CL_MEM_USE_HOST_PTR) && call.at("host_ptr")) {
      memory_.add(call.result.bits, call.at("host_ptr"), scene_.services.bytesOf(call.result.as<cl_mem>()),
                  /*isPrivate=*/false);
    } else if (call.is("clSVMAlloc") && call.result.bits) {
      const HostObject* const object = scene_.objects.find(call.result.bits);
      if (object && MappedMemory::isCoarse(*object))
        memory_.add(call.result.bits, call.result.bits, call.at("size"), /*isPrivate=*/true);
    }
  }

  /// Looks for touches of memory without pages, and of what commands use, behind the first few calls of each place.
  void stepThrough(const HostCall& call) {
    constexpr unsigned mostTimes = 3;
    constexpr std::size_t mostPlaces = 2000;
    // An interpreter calls from few places.
    if ((memory_.hostMemory.empty() && memory_.mappings.empty()) || pythonSite(call.frames.front())) return;
    std::vector<StepWatch::Range> ranges = memory_.rangesToStep();
    for (const MappedMemory::Mapping& mapping : memory_.mappings)
      if (mapping.command->knownAt == 0 && !mapping.isReported && mapping.bytes != MappedMemory::unknownBytes)
        ranges.push_back({mapping.command->enqueuedAt | mappingBit, mapping.pointer, mapping.bytes});
    if (ranges.empty() || stepped_.size() > mostPlaces || ++stepped_[call.frames] > mostTimes) return;
    scene_.stepped.insert(scene_.stepped.end(), ranges.begin(), ranges.end());
  }

  /// The bit of StepWatch::Range::owner that says that it is the command of a map.
  static constexpr std::uint64_t mappingBit = std::uint64_t{1} << 62;

  /// A region is used before the application can know that it is mapped.
  void reportEarly(const StepWatch::Touch& touch) {
    const auto found = std::ranges::find(memory_.mappings, touch.owner & ~mappingBit,
                                         [](const auto& mapping) { return mapping.command->enqueuedAt; });
    if (found == memory_.mappings.end() || found->isReported || !touch.instruction) return;
    found->isReported = true;
    CallSite site = found->command->site;
    site.frames = touch.frames;
    site.number = scene_.now;
    scene_.report(
        Kind::ResultTooEarly, site, "a region is used before the map that does not block has ended",
        fmt::format("the host {} byte {} of it, and the program has not waited for {}",
                    touch.writes ? "writes" : "reads", touch.address - found->pointer, found->command->site.name()),
        {{found->command->site, "it was to be mapped here"}});
  }

  /// The host uses memory beside a region of it that is mapped: of the nearest one, once.
  void reportBeside(std::uint64_t address, const Frames& frames, const char* touches) {
    MappedMemory::Mapping* const nearest = memory_.nearest(address);
    if (!nearest || nearest->isLeft) return;
    nearest->isLeft = true;
    CallSite site = nearest->command->site;
    site.frames = frames;
    site.number = scene_.now;
    const std::string what = address < nearest->pointer
                                 ? fmt::format("a byte {} bytes ahead", nearest->pointer - address)
                                 : fmt::format("byte {}", address - nearest->pointer);
    scene_.report(Kind::HostPointerUse, site,
                  fmt::format("the host uses memory of {} outside of the region that is mapped",
                              scene_.objects.nameOf(ValueKind::Memory, nearest->memory)),
                  fmt::format("the host {} {} of {}", touches, what, nearest->words()),
                  {{nearest->command->site, "the region was mapped here"}}, {}, memory_.helpBeside(*nearest, address));
  }

  void reportTouches() {
    report(PageWatch::takeTouches(MappedMemory::watcher));
    report(ByteWatch::takeTouches(MappedMemory::watcher));
  }

  void report(const std::vector<PageWatch::Touch>& touches) {
    for (const PageWatch::Touch& touch : touches) {
      if (touch.owner & MappedMemory::gapBit) {
        reportBeside(touch.address, touch.frames, "touches");
        continue;
      }
      std::uint64_t handle = touch.owner, begin = touch.owner;
      const auto region = std::ranges::find(memory_.regions, touch.owner, &MappedMemory::Region::address);
      if (const auto known = memory_.hostMemory.find(handle); known != memory_.hostMemory.end()) {
        if (known->second.hash == 0) continue;  // it has been told
        known->second.hash = 0;
        begin = known->second.address;
      } else if (region != memory_.regions.end()) {
        handle = region->memory;
        memory_.regions.erase(region);
      }
      const HostObject* const object = scene_.objects.find(handle);
      if (!object) continue;
      CallSite site = object->created;
      site.frames = touch.frames;
      site.number = scene_.now;
      // Where the driver touches it in a call that leaves memory alone, it has got it from malloc().
      const bool isOfBuffer = object->kind == ValueKind::Memory && region == memory_.regions.end();
      const bool isTaken = isOfBuffer && isOfDriver(touch.frames);
      const bool isFreed = isTaken || (isOfBuffer && isOfRealloc(touch, handle));
      scene_.report(isFreed ? Kind::HostMemoryFreed : Kind::HostPointerUse, site,
                    isFreed ? fmt::format("the memory of {} was freed before the buffer", object->name)
                            : fmt::format("the memory of {} is used by the host without being mapped", object->name),
                    isTaken   ? fmt::format("byte {} of it is someone else's now", touch.address - begin)
                    : isFreed ? "its content was copied to other memory here"
                              : fmt::format("the host touches byte {} of it", touch.address - begin),
                    {{object->created, fmt::format("{} was created here", object->name)}});
    }
  }

  /// Whether realloc() has copied a buffer's memory, and freed it.
  bool isOfRealloc(const PageWatch::Touch& touch, std::uint64_t handle) const {
    const auto known = memory_.hostMemory.find(handle);
    return known != memory_.hostMemory.end() && isOfLibrary(touch.frames.front(), "libc.so") &&
           PageWatch::isFreed(known->second.address, known->second.bytes);
  }

  /// Whether the driver touches memory, by itself or through the libraries of its language.
  static bool isOfDriver(const Frames& frames) {
    const auto first = std::ranges::find_if(frames, [](const void* frame) {
      return !frame || (!isOfLibrary(frame, "libc.so") && !isOfLibrary(frame, "libstdc++.so"));
    });
    return first != frames.end() && *first && isOfOwnLibrary(*first);
  }

  void requireUnmapped(const HostCall& call, const MemoryUse& use) {
    for (MappedMemory::Mapping& mapping : memory_.mappings) {
      const bool overlaps = use.bytes != 0 && mapping.memory == use.memory &&
                            use.offset < mapping.offset + mapping.bytes &&
                            (use.bytes == ~std::uint64_t{0} || mapping.offset < use.offset + use.bytes);
      if (!overlaps || (!use.writes && !mapping.forWriting)) continue;
      scene_.report(Kind::MappedInUse, CallSite(call),
                    fmt::format("{} is used while it is mapped", scene_.objects.nameOf(ValueKind::Memory, use.memory)),
                    scene_.objects.inWords(call), {{mapping.command->site, "it was mapped here"}});
      if (use.writes) mapping.hash = 0;  // what changes it is not the host
      return;
    }
  }

  void requireUnchanged(const HostCall& call, std::uint64_t handle) {
    const auto found = memory_.hostMemory.find(handle);
    if (found == memory_.hostMemory.end() || found->second.hash == 0) return;
    MappedMemory::HostMemory& memory = found->second;
    const std::uint64_t now = PageWatch::hash(memory.address, memory.bytes);
    const HostObject* const object = scene_.objects.find(handle);
    if (now == memory.hash || !object) return;
    memory.hash = 0;
    const bool isThere =
        now != 0 && (object->kind == ValueKind::Pointer || !PageWatch::isFreed(memory.address, memory.bytes));
    const std::string name =
        object->kind == ValueKind::Pointer ? object->name : object->name + " (CL_MEM_USE_HOST_PTR)";
    scene_.report(isThere ? Kind::HostPointerUse : Kind::HostMemoryFreed, CallSite(call),
                  isThere ? fmt::format("the memory of {} was changed without being mapped", name)
                          : fmt::format("the memory of {} was freed before the buffer", name),
                  scene_.objects.inWords(call), {{object->created, fmt::format("{} was created here", object->name)}});
  }

  /// Memory that a command has read, and no command may have written since it was enqueued.
  void requireSteady(std::uint64_t handle, MappedMemory::HostMemory& memory, const HostCommand& reader) {
    const HostObject* const object = scene_.objects.find(handle);
    if (memory.hash == 0 || memory_.isMapped(handle) || !object || object->isDead()) return;
    const std::uint64_t now = PageWatch::hash(memory.address, memory.bytes);
    if (now == memory.hash || now == 0) return;
    memory.hash = 0;
    scene_.report(Kind::HostPointerUse, reader.site,
                  fmt::format("the host changes the memory of {} while a command may still read it", object->name),
                  fmt::format("{} was enqueued here, and the memory is another one when it has ended, though the host "
                              "has not mapped it",
                              reader.site.name()),
                  {{object->created, fmt::format("{} was created here", object->name)}});
  }

  /// A region was unmapped before the application could know that it was mapped.
  void requireComplete(const HostCall& call) {
    const auto found = std::ranges::find(memory_.mappings, unmappedOf(call), &MappedMemory::Mapping::pointer);
    if (found == memory_.mappings.end()) return;
    if (found->command->knownAt != 0) return requireOnlyRead(*found, call);
    if (found->isReported) return;
    scene_.report(Kind::ResultTooEarly, found->command->site,
                  "nothing waits for a region to be mapped before it is used and unmapped",
                  fmt::format("what {} returns may be used when the command has ended", found->command->site.name()),
                  {{CallSite(call), "it is unmapped here"}});
  }

  /// Reports writes to a region that was mapped for reading.
  void requireOnlyRead(const MappedMemory::Mapping& mapping, const HostCall& call) const {
    const bool isAlone = std::ranges::none_of(memory_.mappings, [&](const MappedMemory::Mapping& other) {
      return other.memory == mapping.memory && other.forWriting;
    });
    if (mapping.hash == 0 || !isAlone || PageWatch::hash(mapping.pointer, mapping.bytes) == mapping.hash) return;
    scene_.report(Kind::HostPointerUse, mapping.command->site,
                  fmt::format("a region of {} is mapped for reading, and the host writes to it",
                              scene_.objects.nameOf(ValueKind::Memory, mapping.memory)),
                  "what is written need not be there for the commands that follow: CL_MAP_WRITE is missing",
                  {{CallSite(call), "it is unmapped here, and has changed"}});
  }

  void freed(const HostCall& call, std::uint64_t handle) {
    const HostObject* const object = scene_.objects.find(handle);
    if (!object || object->isDead()) return;
    for (const CommandRef& user : sharedUsers_[handle]) {
      if (user->knownAt != 0) continue;
      scene_.report(Kind::HostMemoryFreed, CallSite(call),
                    fmt::format("{} is freed while a command may still use it", object->name),
                    fmt::format("{} does not wait for commands, and the program has not waited for {}", call.info.name,
                                user->site.name()),
                    {{user->site, "the command was enqueued here"}});
      break;
    }
    sharedUsers_.erase(handle);
    forget(handle);
  }

  void released(std::uint64_t handle) {
    const HostObject* const object = scene_.objects.find(handle);
    if (object && object->references == 1) forget(handle);
  }

  void forget(std::uint64_t handle) {
    memory_.hostMemory.erase(handle);
    std::erase_if(memory_.regions, [&](const MappedMemory::Region& region) { return region.memory == handle; });
    for (auto each = memory_.mappings.begin(); each != memory_.mappings.end();) {
      if (each->memory == handle) reportMapped(*each, "the memory is released");
      each = each->memory == handle ? memory_.mappings.erase(each) : std::next(each);
    }
  }

  void reportMapped(const MappedMemory::Mapping& mapping, const char* when) const {
    if (notUnmapped_.contains(mapping.memory)) return;
    scene_.report(
        Kind::NeverUnmapped, mapping.command->site,
        fmt::format("a region of {} is never unmapped", scene_.objects.nameOf(ValueKind::Memory, mapping.memory)),
        fmt::format("{}, and the region that {} returned here is still mapped", when, mapping.command->site.name()));
  }

  HostScene& scene_;
  HostUses uses_;
  MappedMemory memory_;
  unsigned callsUnderWay_ = 0;
  std::set<std::uint64_t> notUnmapped_;  ///< memory whose unmapping has failed, which is the mistake
  std::map<Frames, unsigned> stepped_;   ///< how often, by the place of the call
  std::map<std::uint64_t, std::vector<CommandRef>> sharedUsers_;  ///< commands by shared memory
};

}  // namespace

HostCheckRef mappingCheck(HostScene& scene) { return std::make_unique<MappingCheck>(scene); }

}  // namespace clarity::check

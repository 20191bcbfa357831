// SPDX-License-Identifier: Apache-2.0
// This file follows mapped regions, and memory that is the application's only while it is mapped: that of
// CL_MEM_USE_HOST_PTR, shared memory of coarse grain, and what was mapped before. Its content is compared between
// commands and maps. While no command may run and no call is under way, its whole pages are inaccessible, and the
// processor watches bytes of what has none. What no command may have written, and was never mapped, may be read.
#include "check/host/host_byte_watch.h"
#include "check/host/host_checks.h"
#include "check/host/host_python.h"
#include "check/host/host_uses.h"
#include "check/host/host_watch.h"
#include "device/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>

namespace clarity::check {
namespace {

class MappingCheck final : public HostCheck {
public:
  explicit MappingCheck(HostScene& scene) : scene_(scene), uses_(scene) {}

  void before(HostCall& call) override {
    tellTouches();
    if (!isQuiet(call)) {
      ++callsUnderWay_;
      open();
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
    if (call.error == CL_SUCCESS) ended(call);
    if (!isQuiet(call) && --callsUnderWay_ == 0) shut();
    stepThrough(call);
  }

  void touched(const std::vector<StepWatch::Touch>& touches) override {
    for (const StepWatch::Touch& touch : touches) {
      const auto found = hostMemory_.find(touch.owner);
      const HostObject* const object = scene_.objects.find(touch.owner);
      if (found == hostMemory_.end() || !object || object->isDead() || !touch.instruction) continue;
      HostMemory& memory = found->second;
      // What the pages have told already is no second mistake.
      if (memory.users.empty() && memory.hash == 0) continue;
      memory.hash = 0;
      CallSite site = object->created;
      site.frames = {static_cast<const std::byte*>(touch.instruction) + 1};
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
      mappings_.push_back({.command = command,
                           .memory = call.at(isBuffer ? "buffer" : "image"),
                           .pointer = call.result.bits,
                           .offset = call.at("offset"),
                           .bytes = isBuffer ? call.at("size") : ~std::uint64_t{0},
                           .forWriting = call.at<cl_map_flags>("map_flags") != CL_MAP_READ});
    } else if (call.is("clEnqueueSVMMap")) {
      const HostObject* const object = scene_.objects.sharedAt(call.at("svm_ptr"));
      if (object && isCoarse(*object))
        mappings_.push_back({.command = command,
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
    for (auto& [handle, memory] : hostMemory_)
      if (uses_.mayUse(call, handle)) {
        // What commands only read stays as it is, or the host changes it.
        const bool writes = uses_.mayWrite(call, handle);
        if (writes || isMapOrUnmap(call) || isShared(handle, memory)) memory.hash = 0;
        memory.isPrivate |= writes;
        memory.users.push_back(command);
      }
  }

  void known(HostCommand& command) override {
    for (Mapping& mapping : mappings_)
      if (mapping.command.get() == &command && !mapping.forWriting && mapping.bytes <= mostHashed)
        mapping.hash = PageWatch::hash(mapping.pointer, mapping.bytes);
    for (auto& [handle, memory] : hostMemory_) {
      if (std::ranges::find(memory.users, &command, &CommandRef::get) == memory.users.end()) continue;
      std::erase_if(memory.users, [](const CommandRef& user) { return user->knownAt != 0; });
      requireSteady(handle, memory, command);
      if (memory.users.empty() && !isMapped(handle)) settle(memory);
    }
  }

  void finish(int exitStatus) override {
    tellTouches();
    open();
    ++callsUnderWay_;  // the process ends
    if (exitStatus != 0) return;
    for (const Mapping& mapping : mappings_) reportMapped(mapping, "the program ends");
  }

private:
  static constexpr std::uint64_t mostHashed = std::uint64_t{256} << 20;

  struct Mapping {
    CommandRef command;
    std::uint64_t memory = 0, pointer = 0, offset = 0, bytes = 0;
    bool forWriting = false;
    std::uint64_t hash = 0;  ///< of a region mapped for reading; 0: none
  };
  /// Memory of the application that is a buffer's, or that it shares with the device. The hash is that of its content
  /// while no command uses it and it is not mapped; 0: it may change.
  struct HostMemory {
    std::uint64_t address = 0, bytes = 0, hash = 0;
    std::vector<CommandRef> users{};  ///< commands that may use it
    bool isPrivate = true;            ///< the device's: the host may not even read it
  };
  /// A region that was mapped once.
  struct Region {
    std::uint64_t memory = 0, address = 0, bytes = 0;
  };

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
  /// Whether the host may use shared memory while it is mapped only.
  static bool isCoarse(const HostObject& object) {
    return object.created.info && object.created.info->name == "clSVMAlloc" &&
           !(object.flags & CL_MEM_SVM_FINE_GRAIN_BUFFER);
  }

  void ended(const HostCall& call) {
    uses_.ended(call);
    if (isUnmap(call)) {
      const auto found = std::ranges::find(mappings_, unmappedOf(call), &Mapping::pointer);
      if (found == mappings_.end()) return;
      if (isDirect(*found)) regions_.push_back({found->memory, found->pointer, found->bytes});
      mappings_.erase(found);
    } else if (call.info.begins("clCreateBuffer") && (call.at("flags") & CL_MEM_USE_HOST_PTR)) {
      add(call.result.bits, call.at("host_ptr"), call.at("size"), /*isPrivate=*/false);
    } else if (call.info.begins("clCreateImage") && (call.at("flags") & CL_MEM_USE_HOST_PTR) && call.at("host_ptr")) {
      add(call.result.bits, call.at("host_ptr"), scene_.services.bytesOf(call.result.as<cl_mem>()),
          /*isPrivate=*/false);
    } else if (call.is("clSVMAlloc") && call.result.bits) {
      const HostObject* const object = scene_.objects.find(call.result.bits);
      if (object && isCoarse(*object)) add(call.result.bits, call.result.bits, call.at("size"), /*isPrivate=*/true);
    }
  }

  void add(std::uint64_t handle, std::uint64_t address, std::uint64_t bytes, bool isPrivate) {
    if (bytes > mostHashed) return;
    HostMemory& memory = hostMemory_[handle];
    memory = {.address = address, .bytes = bytes, .isPrivate = isPrivate};
    settle(memory);
  }

  /// Whether the pointer of a mapping is to the object's own memory.
  bool isDirect(const Mapping& mapping) const {
    const HostObject* const object = scene_.objects.find(mapping.memory);
    if (!object || object->kind != ValueKind::Memory || mapping.bytes == ~std::uint64_t{0}) return false;
    const auto handle = Value{.bits = mapping.memory}.as<cl_mem>();
    const std::uint64_t begin = scene_.services.addressOf(handle);
    return begin != 0 && mapping.pointer >= begin &&
           mapping.pointer + mapping.bytes <= begin + scene_.services.bytesOf(handle);
  }

  // --- pages -----------------------------------------------------------------------------------------------------

  static constexpr auto mappingPages = PageWatch::Watcher::Mappings;
  static constexpr std::uint64_t mostWatched = std::uint64_t{16} << 20;

  /// What the host may touch is accessible, all of it while commands may run.
  void open() {
    if (!isShut_) return;
    isShut_ = false;
    for (const auto& [handle, memory] : hostMemory_) {
      PageWatch::end(mappingPages, handle);
      ByteWatch::end(mappingPages, handle);
    }
    for (const Region& region : regions_) PageWatch::end(mappingPages, region.address);
  }

  void shut() {
    if (hostMemory_.empty() && regions_.empty()) return;
    const bool isIdle = std::ranges::none_of(
        scene_.order.live(), [](const CommandRef& command) { return command->knownAt == 0 && !command->isUser(); });
    if (!isIdle || isShut_) return;
    isShut_ = true;
    for (const auto& [handle, memory] : hostMemory_)
      if (memory.hash != 0 && !isMapped(handle)) {
        using enum PageWatch::Accesses;
        const PageWatch::Accesses accesses = memory.isPrivate ? All : Writes;
        if (PageWatch::hasPages(memory.address, memory.bytes))
          PageWatch::begin(mappingPages, handle, memory.address, std::min(memory.bytes, mostWatched), accesses);
        else
          ByteWatch::begin(mappingPages, handle, memory.address, memory.bytes, accesses);
      }
    for (const Region& region : regions_) {
      const bool isOpen = std::ranges::any_of(mappings_, [&](const Mapping& mapping) {
        return mapping.pointer < region.address + region.bytes && region.address < mapping.pointer + mapping.bytes;
      });
      if (!isOpen && !hostMemory_.contains(region.memory))
        PageWatch::begin(mappingPages, region.address, region.address, std::min(region.bytes, mostWatched));
    }
    ByteWatch::resume();
  }

  /// Looks for touches of memory without pages, and of what commands use, behind the first few calls of each place.
  void stepThrough(const HostCall& call) {
    constexpr unsigned mostTimes = 3;
    constexpr std::size_t mostPlaces = 2000;
    // Of an interpreter these are few.
    if (hostMemory_.empty() || pythonSite(call.frames.front())) return;
    std::vector<StepWatch::Range> ranges;
    for (const auto& [handle, memory] : hostMemory_) {
      if (isMapped(handle)) continue;
      const bool isIdle = memory.users.empty();
      if (isIdle && (memory.hash == 0 || PageWatch::hasPages(memory.address, memory.bytes))) continue;
      ranges.push_back({handle, memory.address, memory.bytes, !memory.isPrivate});
    }
    if (ranges.empty() || stepped_.size() > mostPlaces || ++stepped_[call.frames] > mostTimes) return;
    scene_.stepped = std::move(ranges);
  }

  void tellTouches() {
    tell(PageWatch::takeTouches(mappingPages));
    tell(ByteWatch::takeTouches(mappingPages));
  }

  void tell(const std::vector<PageWatch::Touch>& touches) {
    for (const PageWatch::Touch& touch : touches) {
      std::uint64_t handle = touch.owner, begin = touch.owner;
      const auto region = std::ranges::find(regions_, touch.owner, &Region::address);
      if (const auto known = hostMemory_.find(handle); known != hostMemory_.end()) {
        if (known->second.hash == 0) continue;  // it has been told
        known->second.hash = 0;
        begin = known->second.address;
      } else if (region != regions_.end()) {
        handle = region->memory;
        regions_.erase(region);
      }
      const HostObject* const object = scene_.objects.find(handle);
      if (!object) continue;
      CallSite site = object->created;
      site.frames = touch.frames;
      site.number = scene_.now;
      scene_.report(Kind::HostPointerUse, site,
                    fmt::format("the memory of {} is used by the host without being mapped", object->name),
                    fmt::format("the host touches byte {} of it", touch.address - begin),
                    {{object->created, fmt::format("{} was created here", object->name)}});
    }
  }

  static void settle(HostMemory& memory) { memory.hash = PageWatch::hash(memory.address, memory.bytes); }

  /// All of it or a part.
  bool isMapped(std::uint64_t memory) const {
    return std::ranges::any_of(mappings_, [&](const Mapping& mapping) {
      const HostObject* const object = scene_.objects.find(mapping.memory);
      return mapping.memory == memory || (object && object->parent == memory);
    });
  }

  void requireUnmapped(const HostCall& call, const MemoryUse& use) const {
    for (const Mapping& mapping : mappings_) {
      const bool overlaps = use.bytes != 0 && mapping.memory == use.memory &&
                            use.offset < mapping.offset + mapping.bytes &&
                            (use.bytes == ~std::uint64_t{0} || mapping.offset < use.offset + use.bytes);
      if (!overlaps || (!use.writes && !mapping.forWriting)) continue;
      scene_.report(Kind::MappedInUse, CallSite(call),
                    fmt::format("{} is used while it is mapped", scene_.objects.nameOf(ValueKind::Memory, use.memory)),
                    scene_.objects.inWords(call), {{mapping.command->site, "it was mapped here"}});
      return;
    }
  }

  void requireUnchanged(const HostCall& call, std::uint64_t handle) {
    const auto found = hostMemory_.find(handle);
    if (found == hostMemory_.end() || found->second.hash == 0) return;
    HostMemory& memory = found->second;
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

  /// Whether another buffer has some of it.
  bool isShared(std::uint64_t handle, const HostMemory& memory) const {
    return std::ranges::any_of(hostMemory_, [&](const auto& each) {
      const HostMemory& other = each.second;
      return each.first != handle && other.address < memory.address + memory.bytes &&
             memory.address < other.address + other.bytes;
    });
  }

  /// Memory that a command has read, and no command may have written since it was enqueued.
  void requireSteady(std::uint64_t handle, HostMemory& memory, const HostCommand& reader) {
    const HostObject* const object = scene_.objects.find(handle);
    if (memory.hash == 0 || isMapped(handle) || !object || object->isDead()) return;
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
    const auto found = std::ranges::find(mappings_, unmappedOf(call), &Mapping::pointer);
    if (found == mappings_.end()) return;
    if (found->command->knownAt != 0) return requireOnlyRead(*found, call);
    scene_.report(Kind::ResultTooEarly, found->command->site,
                  "nothing waits for a region to be mapped before it is used and unmapped",
                  fmt::format("what {} returns may be used when the command has ended", found->command->site.name()),
                  {{CallSite(call), "it is unmapped here"}});
  }

  /// Of a region that was mapped for reading.
  void requireOnlyRead(const Mapping& mapping, const HostCall& call) const {
    const bool isAlone = std::ranges::none_of(
        mappings_, [&](const Mapping& other) { return other.memory == mapping.memory && other.forWriting; });
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
    hostMemory_.erase(handle);
    std::erase_if(regions_, [&](const Region& region) { return region.memory == handle; });
    for (auto each = mappings_.begin(); each != mappings_.end();) {
      if (each->memory == handle) reportMapped(*each, "the memory is released");
      each = each->memory == handle ? mappings_.erase(each) : std::next(each);
    }
  }

  void reportMapped(const Mapping& mapping, const char* when) const {
    scene_.report(
        Kind::NeverUnmapped, mapping.command->site,
        fmt::format("a region of {} is never unmapped", scene_.objects.nameOf(ValueKind::Memory, mapping.memory)),
        fmt::format("{}, and the region that {} returned here is still mapped", when, mapping.command->site.name()));
  }

  HostScene& scene_;
  HostUses uses_;
  std::list<Mapping> mappings_;
  std::list<Region> regions_;  ///< that are not mapped any more
  bool isShut_ = false;
  unsigned callsUnderWay_ = 0;
  std::map<Frames, unsigned> stepped_;                            ///< how often, by the place of the call
  std::map<std::uint64_t, std::vector<CommandRef>> sharedUsers_;  ///< commands by shared memory
  std::map<std::uint64_t, HostMemory> hostMemory_;
};

}  // namespace

HostCheckRef mappingCheck(HostScene& scene) { return std::make_unique<MappingCheck>(scene); }

}  // namespace clarity::check

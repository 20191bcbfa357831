// SPDX-License-Identifier: Apache-2.0
// This file holds the cache and the identity of the compiler that fills it.
#include "compiler/driver/cache.h"

#include "compiler/driver/build_name.h"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace clarity::compiler {
namespace {

// Never destroyed: compile threads may run until the process is gone.
std::atomic<support::DiskCache*> configured{nullptr};

struct BuildId {
  std::uintptr_t address;
  std::string text;
};

/// Finds the GNU build id in the loaded object that holds the address.
int findBuildId(dl_phdr_info* object, std::size_t, void* to) {
  auto& wanted = *static_cast<BuildId*>(to);
  bool holds = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = object->dlpi_phdr[i];
    holds |= part.p_type == PT_LOAD && wanted.address - (object->dlpi_addr + part.p_vaddr) < part.p_memsz;
  }
  if (!holds) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = object->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const auto* bytes = reinterpret_cast<const char*>(object->dlpi_addr + part.p_vaddr);
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= part.p_memsz;) {
      const auto* note = reinterpret_cast<const ElfW(Nhdr)*>(bytes + at);
      const char* name = bytes + at + sizeof *note;
      const std::size_t nameBytes = (note->n_namesz + 3) & ~3u;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        wanted.text.assign(name + nameBytes, note->n_descsz);
      at += sizeof *note + nameBytes + ((note->n_descsz + 3) & ~3u);
    }
  }
  return 1;
}

/// Tells this build of the compiler from every other, so that nothing of another one is taken from the cache. The
/// linker's build id, or else the time and size of the file that we are in.
std::string identifyBuild() {
  BuildId id{reinterpret_cast<std::uintptr_t>(&identifyBuild), {}};
  ::dl_iterate_phdr(findBuildId, &id);
  Dl_info where;
  struct stat about;
  if (id.text.empty() && ::dladdr(reinterpret_cast<void*>(&identifyBuild), &where) && where.dli_fname &&
      ::stat(where.dli_fname, &about) == 0)
    id.text = fmt::format("{}.{}.{}", about.st_mtim.tv_sec, about.st_mtim.tv_nsec, about.st_size);
  return id.text;
}

const std::string& thisBuild() {
  static const std::string& build = *new std::string(identifyBuild());
  return build;
}

}  // namespace

std::string buildName() { return fmt::format("{:016x}", support::hashOf(thisBuild()).high).substr(0, 12); }

void configureCache(CacheConfig config) {
  // The one before, if there is one, may be in use on another thread: all stay, and stay in reach.
  static std::mutex& mutex = *new std::mutex;
  static auto& all = *new std::vector<std::unique_ptr<support::DiskCache>>;
  const std::lock_guard lock(mutex);
  all.push_back(std::make_unique<support::DiskCache>(std::move(config.folder), config.maxBytes));
  configured.store(all.back().get(), std::memory_order_release);
}

std::optional<std::string> recall(const support::Hash128& key) { return cache().get(key); }
void remember(const support::Hash128& key, std::string_view bytes) { cache().put(key, bytes); }

support::DiskCache& cache() {
  static support::DiskCache& none = *new support::DiskCache("");
  support::DiskCache* set = configured.load(std::memory_order_acquire);
  return set ? *set : none;
}

support::Hasher cacheKey(std::string_view what, const Target& target) {
  support::Hasher key;
  key.add(what).add(thisBuild()).add(LLVM_VERSION_STRING);
  support::addTo(key, target);
  return key;
}

}  // namespace clarity::compiler

// SPDX-License-Identifier: Apache-2.0
// This file reads the debugging information of the application and its libraries. It does so for findings only.
#include "check/host/host_place.h"

#include "check/host/debug_lines.h"
#include "check/host/host_python.h"
#include "check/host/host_source.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace clarity::check {
namespace {

struct Module {
  std::string path;
  bool isSkipped = false;  ///< not the application: the driver, a loader of drivers, the runtime of a sanitizer
  std::unique_ptr<DebugLines> debug;
};

struct Place {
  Module* module = nullptr;
  std::uint64_t offset = 0;  ///< as the module's file counts addresses
  std::string function;      ///< without debugging information; empty: unknown
};

bool isLibraryHeader(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name == "opencl.hpp" || name == "cl2.hpp" || name == "cl.hpp" || file.starts_with("/usr/include/") ||
         file.starts_with("/usr/lib/");
}

std::string executablePath() {
  std::string path(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return path;
}

Module& moduleOf(const std::string& path) {
  static auto& all = *new std::map<std::string, Module>;
  const auto [place, isNew] = all.try_emplace(path);
  Module& module = place->second;
  if (!isNew) return module;
  module.path = path;
  Dl_info own{};
  const bool known = ::dladdr(reinterpret_cast<const void*>(&takeFrames), &own) != 0;
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  module.isSkipped = known && path == own.dli_fname;
  for (const char* const each : {"libOpenCL.so", "libclang_rt.", "libasan.so", "libtsan.so", "libubsan.so"})
    module.isSkipped |= name.starts_with(each);
  if (!module.isSkipped) module.debug = DebugLines::open(path);
  return module;
}

Place locate(const void* returnAddress) {
  // The call is the instruction before the one that is returned to.
  const auto address = reinterpret_cast<std::uint64_t>(returnAddress) - 1;
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<const void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0)
    return {};
  Place place;
  const bool isExecutable = map->l_name == nullptr || map->l_name[0] == '\0';
  static const std::string& executable = *new std::string(executablePath());
  place.module = &moduleOf(isExecutable ? executable : info.dli_fname);
  place.offset = address - map->l_addr;
  if (info.dli_sname)
    place.function =
        fmt::format("{}+{:#x}", info.dli_sname, address + 1 - reinterpret_cast<std::uint64_t>(info.dli_saddr));
  return place;
}

std::string lineOf(const std::string& file, std::uint32_t number, std::uint32_t& indent) {
  std::ifstream stream(file);
  std::string line;
  for (std::uint32_t i = 0; i < number; ++i)
    if (!std::getline(stream, line)) return {};
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return {};
  indent = static_cast<std::uint32_t>(begin);
  return line.substr(begin);
}

/// The path as a reader in the present folder would name it.
std::string shortened(const std::string& path) {
  const std::string file = std::filesystem::path(path).lexically_normal();
  std::string folder(4096, '\0');
  if (!::getcwd(folder.data(), folder.size())) return file;
  folder.resize(folder.find('\0'));
  folder += '/';
  return folder.size() > 1 && file.starts_with(folder) ? file.substr(folder.size()) : file;
}

/// LLVM's contexts are not for several threads.
std::mutex& debugMutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

/// The elements of the pointer that the first line outside of the system's headers gives.
std::optional<GivenVariable> elementsOfLine(DebugLines& debug, std::uint64_t address, const compiler::SiteCall& line,
                                            std::span<const PointerUse> uses) {
  for (const PointerUse& use : uses) {
    const std::vector<std::string> arguments = argumentsInSource(line, use.function);
    if (arguments.empty()) continue;
    std::string text;
    if (use.argument == PointerUse::result)
      text = nameOfResult(line, use.function);
    else if (use.argument < arguments.size())
      text = arguments[use.argument];
    const std::optional<DebugPointer> pointer = pointerOf(text);
    const auto element = pointer ? debug.elementAt(address, line.function, *pointer) : std::nullopt;
    return element ? std::optional(GivenVariable{text, *element}) : std::nullopt;
  }
  return std::nullopt;
}

/// As elementsOfLine(), of a variable.
std::optional<GivenVariable> variableOfLine(DebugLines& debug, std::uint64_t address, const compiler::SiteCall& line,
                                            std::span<const PointerUse> uses) {
  for (const PointerUse& use : uses) {
    const std::vector<std::string> arguments = argumentsInSource(line, use.function);
    if (arguments.empty()) continue;
    if (use.argument >= arguments.size()) return std::nullopt;
    const std::string& text = arguments[use.argument];
    const bool isOfC = use.function.starts_with("cl");
    if (auto number = isOfC ? std::nullopt : typeOfNumber(text)) return GivenVariable{text, std::move(*number)};
    const bool isName = !text.empty() && std::ranges::all_of(text, isOfName);
    const std::string name = isOfC && !isName ? nameOfAddressed(text) : isName ? text : std::string();
    if (name.empty()) return std::nullopt;
    const auto variable = debug.variableAt(address, line.function, name);
    // Only arrays are addresses without `&`, in the call of C's function.
    if (!variable || (isOfC && isName && !variable->isArray)) return std::nullopt;
    return GivenVariable{name, *variable};
  }
  return std::nullopt;
}

/// The variable that the first line of the application outside of the system's headers gives.
template <class OfLine>
std::optional<GivenVariable> givenInSource(const Frames& frames, std::span<const PointerUse> uses,
                                           const OfLine& ofLine) {
  const std::lock_guard lock(debugMutex());
  for (const void* const frame : frames) {
    if (!frame) break;
    const Place place = locate(frame);
    if (!place.module || place.module->isSkipped) continue;
    if (!place.module->debug) return std::nullopt;
    for (const compiler::SiteCall& line : place.module->debug->linesAt(place.offset))
      if (!isLibraryHeader(line.file)) return ofLine(*place.module->debug, place.offset, line, uses);
  }
  return std::nullopt;
}

}  // namespace

std::optional<GivenVariable> variableGiven(const Frames& frames, std::span<const PointerUse> uses) {
  return givenInSource(frames, uses, variableOfLine);
}

std::optional<GivenVariable> elementsGiven(const Frames& frames, std::span<const PointerUse> uses) {
  return givenInSource(frames, uses, elementsOfLine);
}

std::optional<CallInSource> callInSource(const Frames& frames) {
  constexpr std::uint32_t linesBefore = 3, linesAfter = 40;
  const std::lock_guard lock(debugMutex());
  CallInSource call;
  for (const void* const frame : frames) {
    if (!frame) break;
    const Place place = locate(frame);
    if (!place.module || place.module->isSkipped) continue;
    if (call.module.empty()) call.module = place.module->path;
    if (!place.module->debug) return call;
    for (const compiler::SiteCall& line : place.module->debug->linesAt(place.offset)) {
      if (isLibraryHeader(line.file)) continue;
      const std::uint32_t first = line.line > linesBefore ? line.line - linesBefore : 1;
      call.before = sourceText(line.file, first, line.line - first);
      call.text = sourceText(line.file, line.line, linesAfter);
      call.column = line.column;
      return call;
    }
  }
  return call.module.empty() ? std::nullopt : std::optional(call);
}

void takeFrames(Frames& frames) noexcept {
  void* addresses[std::tuple_size_v<Frames>] = {};
  const int count = ::backtrace(addresses, static_cast<int>(std::size(addresses)));
  std::copy_n(addresses, std::max(count, 0), frames.begin());
}

bool isOfClasses(const Frames& frames) {
  const std::lock_guard lock(debugMutex());
  for (const void* const frame : frames) {
    if (!frame) break;
    const Place place = locate(frame);
    if (!place.module || place.module->isSkipped) continue;
    if (!place.module->debug) return false;
    const std::vector<compiler::SiteCall> lines = place.module->debug->linesAt(place.offset);
    if (lines.empty()) continue;
    const std::string name = std::filesystem::path(lines.front().file).filename();
    return name == "opencl.hpp" || name == "cl2.hpp" || name == "cl.hpp";
  }
  return false;
}

bool isOfLibrary(const void* instruction, std::string_view name) {
  Dl_info info{};
  if (::dladdr(instruction, &info) == 0 || !info.dli_fname) return false;
  const std::string_view path = info.dli_fname;
  return path.substr(path.rfind('/') + 1).starts_with(name);
}

bool isOfOwnLibrary(const void* instruction) {
  Dl_info info{}, own{};
  return ::dladdr(instruction, &info) != 0 && ::dladdr(reinterpret_cast<const void*>(&isOfOwnLibrary), &own) != 0 &&
         info.dli_fbase == own.dli_fbase;
}

compiler::Site placeOf(const Frames& frames) {
  if (const compiler::Site* const python = pythonSite(frames.front())) {
    compiler::Site site = *python;
    site.text = lineOf(site.file, site.line, site.indent);
    site.file = shortened(site.file);
    return site;
  }
  const std::lock_guard lock(debugMutex());
  compiler::Site site;
  std::string without;  // the first function of the application, for want of lines
  for (const void* const frame : frames) {
    if (!frame) break;
    const Place place = locate(frame);
    if (!place.module || place.module->isSkipped) continue;
    if (without.empty())
      without = (place.function.empty() ? fmt::format("offset {:#x}", place.offset + 1) : place.function) + " of " +
                place.module->path.substr(place.module->path.rfind('/') + 1);
    if (!place.module->debug) continue;
    for (compiler::SiteCall& line : place.module->debug->linesAt(place.offset)) {
      if (isLibraryHeader(line.file)) continue;
      if (site.line == 0) {
        site.file = shortened(line.file);
        site.line = line.line;
        site.column = line.column;
        site.text = lineOf(line.file, line.line, site.indent);
      } else {
        line.file = shortened(line.file);
        site.calls.push_back(std::move(line));
      }
    }
  }
  if (site.line == 0) site.variable = without;
  return site;
}

}  // namespace clarity::check

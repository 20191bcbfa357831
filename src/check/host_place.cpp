// SPDX-License-Identifier: Apache-2.0
// This file reads the debugging information of the application and its libraries. It does so for findings only.
#include "check/host_place.h"

#include "compiler/instrument/debug_lines.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
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
  std::unique_ptr<compiler::DebugLines> debug;
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
  if (!module.isSkipped) module.debug = compiler::DebugLines::open(path);
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

/// The arguments of the call of a function that begins in this line, at the column or behind it.
std::vector<std::string> argumentsInSource(const compiler::SiteCall& line, std::string_view function) {
  constexpr unsigned mostLines = 12;
  std::ifstream stream(line.file);
  std::string text, next;
  for (std::uint32_t i = 1; i < line.line + mostLines && std::getline(stream, next); ++i)
    if (i >= line.line) text += next + ' ';
  std::vector<std::string> arguments(1);
  std::size_t at = text.find(std::string(function) + "(", line.column ? line.column - 1 : 0);
  if (at == text.npos) return {};
  unsigned depth = 0;
  for (at += function.size() + 1; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ')' && depth == 0) return arguments;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0)
      arguments.emplace_back();
    else if (c != ' ' && c != '\t')
      arguments.back() += c;
  }
  return {};
}

/// "n" of "&n" and "(void*)&n"; else empty.
std::string nameOfAddressed(const std::string& argument) {
  const std::size_t place = argument.rfind('&');
  if (place == argument.npos || (place != 0 && argument[place - 1] != ')')) return {};
  const std::string name = argument.substr(place + 1);
  const bool isName =
      !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return isName ? name : std::string();
}

}  // namespace

std::optional<GivenVariable> variableGiven(const Frames& frames, std::string_view function, unsigned argument) {
  const std::lock_guard lock(debugMutex());
  for (const void* const frame : frames) {
    if (!frame) break;
    const Place place = locate(frame);
    if (!place.module || place.module->isSkipped) continue;
    if (!place.module->debug) return std::nullopt;
    const std::vector<compiler::SiteCall> lines = place.module->debug->linesAt(place.offset);
    if (lines.empty()) return std::nullopt;
    const std::vector<std::string> arguments = argumentsInSource(lines.front(), function);
    const std::string name = argument < arguments.size() ? nameOfAddressed(arguments[argument]) : std::string();
    if (name.empty()) return std::nullopt;
    const auto variable = place.module->debug->variableAt(place.offset, name);
    return variable ? std::optional(GivenVariable{name, *variable}) : std::nullopt;
  }
  return std::nullopt;
}

void takeFrames(Frames& frames) noexcept {
  void* addresses[std::tuple_size_v<Frames>] = {};
  const int count = ::backtrace(addresses, static_cast<int>(std::size(addresses)));
  std::copy_n(addresses, std::max(count, 0), frames.begin());
}

compiler::Site placeOf(const Frames& frames) {
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

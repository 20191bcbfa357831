// SPDX-License-Identifier: Apache-2.0
// This file reads the entries of Clarity's disk cache (src/support/disk_cache.h) that contain machine code or PTX.
#include "code_folder.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

namespace bench {
namespace {

// The content begins behind a header, which names the entry's key.
constexpr std::size_t headerBytes = 48;

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return bytes.size() > headerBytes ? bytes.substr(headerBytes) : std::string();
}

// An object of ELF, or PTX. Other entries are programs, and what the CUDA driver has made of PTX, which is kept once:
// an object of ELF without anything before it.
bool isCode(const std::string& content) {
  if (content.starts_with("\177ELF")) return false;
  const auto contains = [&](const char* text) { return content.find(text) != std::string::npos; };
  return !content.starts_with("machine code of ") && (contains("\177ELF") || contains(".target sm_"));
}

// Removes a folder if one of the signals that end a process comes. The threads that the platform makes inherit the
// mask.
void removeOnSignal(const std::string& folder) {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  std::thread([folder, ending] {
    int signal = 0;
    sigwait(&ending, &signal);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    ::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
    ::kill(::getpid(), signal);
  }).detach();
}

}  // namespace

CodeFolder::CodeFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "kernel_bench-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make the folder " + name);
  folder_ = name;
  removeOnSignal(name);
  setenv("CLARITY_CACHE", "1", 1);
  setenv("CLARITY_CACHE_DIR", name.c_str(), 1);
  setenv("CLARITY_FIRST_LAUNCH", "full", 1);  // the code of a quick first launch may be the same, and the other not
}

CodeFolder::~CodeFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string CodeFolder::takeNew() {
  std::vector<std::string> codes;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    if (entry.is_regular_file() && seen_.insert(entry.path()).second)
      if (std::string content = contentOf(entry.path()); isCode(content)) codes.push_back(std::move(content));
  std::ranges::sort(codes);
  std::string all;
  for (const std::string& code : codes) all += std::to_string(code.size()) + ':' + code;
  return all;
}

}  // namespace bench

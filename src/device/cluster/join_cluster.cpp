// SPDX-License-Identifier: Apache-2.0
// This file opens the plug-in for MPI and keeps the cluster of this process.
#include "device/cluster/join_cluster.h"

#include "device/cluster/cluster.h"
#include "device/cluster/plug_in.h"
#include "support/process_end.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>

namespace clarity::device::cluster {
namespace {

/// Nodes start when the program does, and have to be told of by a launcher.
constexpr std::chrono::seconds patienceWithNodes{60};

std::filesystem::path folderOfDriver() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&openTransport), &info) == 0 || !info.dli_fname) return {};
  std::error_code error;
  const auto file = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::filesystem::path() : file.parent_path();
}

/// Never destroyed: objects of the application may use it to the end.
Cluster* joined = nullptr;

void endOfProcess() {
  if (joined) joined->leave();
}

}  // namespace

std::unique_ptr<Transport> openTransport(std::string_view mpi, std::string& why) {
  if (mpi.empty()) {
    why = "this process is no rank: it was started neither by mpirun nor by srun";
    return nullptr;
  }
  const std::string file = (folderOfDriver() / fmt::format("libclarity_mpi_{}.so", mpi)).string();
  // Open MPI's own plug-ins find its symbols among those of the process.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (!library) {
    why = fmt::format("the plug-in for {} cannot be loaded: {}", mpi, ::dlerror());
    return nullptr;
  }
  const auto open = reinterpret_cast<decltype(clarityMpiTransport)*>(::dlsym(library, "clarityMpiTransport"));
  const char* text = "it is no plug-in of this driver";
  Transport* const made = open ? open(CLARITY_VERSION, &text) : nullptr;
  if (!made) why = fmt::format("'{}': {}", file, text);
  return std::unique_ptr<Transport>(made);
}

std::vector<std::string> join(const Options& options) {
  static std::once_flag once;
  std::vector<std::string> complaints;
  std::call_once(once, [&] {
    std::string why;
    auto transport = openTransport(options.mpi, why);
    if (transport && transport->rank() != 0)
      why = fmt::format("rank {} is a node and runs no program: 'clarity run --cluster' starts it", transport->rank());
    else if (transport && transport->ranks() == 1)
      why = "there is one rank, and no other node";
    if (!why.empty()) return complaints.push_back(why);
    joined = new Cluster(std::move(transport));
    support::atProcessEnd(endOfProcess);
    complaints = joined->greet(patienceWithNodes);
  });
  if (!joined && complaints.empty()) complaints.emplace_back("this process is not in a cluster");
  return complaints;
}

bool isJoined() {
  return joined && std::ranges::any_of(joined->nodes(), [](const auto& node) { return node->facts() != nullptr; });
}

std::vector<std::unique_ptr<Device>> discover() {
  return joined ? joined->devices() : std::vector<std::unique_ptr<Device>>();
}

}  // namespace clarity::device::cluster

// SPDX-License-Identifier: Apache-2.0
// This file takes the place of device/discover/discover.cpp in a driver whose devices are on nodes that are threads of
// this process, each with a CPU device of its own. CLARITY_TEST_NODES: how many nodes there are, one unless it says;
// CLARITY_TEST_LOCAL: the CPU device of the host comes first. CLARITY_TEST_JOINED: the devices of the nodes are joined.
#include "../control.h"

#include "compiler/host/target.h"
#include "device/cluster/cluster.h"
#include "device/cluster/in_process.h"
#include "device/cluster/server/server.h"
#include "device/cpu/device.h"
#include "device/host/extensions.h"
#include "device/joined/device.h"
#include "support/own_thread.h"
#include "support/process_end.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace clarity::device {
namespace {

// Never destroyed: threads use them to the end of the process.
cluster::Cluster* cluster_ = nullptr;
std::vector<cluster::Transport*>* transports = nullptr;
std::vector<cluster::server::Server*>* servers = nullptr;

void startNodes(const Options& options, unsigned nodes) {
  auto ranks = cluster::connectedInProcess(nodes + 1);
  transports = new std::vector<cluster::Transport*>;
  servers = new std::vector<cluster::server::Server*>;
  for (unsigned rank = 1; rank <= nodes; ++rank) {
    transports->push_back(ranks[rank].get());
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(cpu::createDevice(options));
    auto* const server = new cluster::server::Server(std::move(ranks[rank]), std::move(devices), false);
    servers->push_back(server);
    support::runOnOwnThread([server] { (void)server->serve(); });
  }
  cluster_ = new cluster::Cluster(std::move(ranks[0]));
  support::atProcessEnd([] { cluster_->leave(); });
  (void)cluster_->greet(std::chrono::seconds(30));
}

}  // namespace

std::string_view commonExtensions() {
  static const std::string all = std::string(compiler::hostExtensions()) + std::string(host::runtimeExtensions);
  return all;
}

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  // Variables of tests, read by a library for tests alone: the driver reads none outside of core/config.cpp.
  const char* const wanted = std::getenv("CLARITY_TEST_NODES");
  startNodes(options, wanted ? static_cast<unsigned>(std::atoi(wanted)) : 1);
  std::vector<std::unique_ptr<Device>> devices;
  if (std::getenv("CLARITY_TEST_LOCAL")) devices.push_back(cpu::createDevice(options));
  if (std::getenv("CLARITY_TEST_JOINED"))
    devices.push_back(std::make_unique<joined::JoinedDevice>(cluster_->devices(), nullptr, options.joined));
  else
    std::ranges::move(cluster_->devices(), std::back_inserter(devices));
  return devices;
}

}  // namespace clarity::device

extern "C" __attribute__((visibility("default"), used)) void clarityClusterCutOff(unsigned rank, int isNoticed) {
  clarity::device::cluster::cutOff(*clarity::device::transports->at(rank - 1), isNoticed != 0);
}

// SPDX-License-Identifier: Apache-2.0
// This file takes the place of device/discover/discover.cpp in a driver whose devices are on modelled nodes.
// CLARITY_MODEL_NODES: how many there are.
#include "compiler/host/target.h"
#include "device/cluster/cluster.h"
#include "device/cluster/server/server.h"
#include "device/cpu/device.h"
#include "device/host/extensions.h"
#include "modelled_device.h"
#include "network.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::device {
namespace {

// Never destroyed: threads use them to the end of the process.
model::Network* network = nullptr;
cluster::Cluster* cluster_ = nullptr;

/// A network of 100 Gbit/s.
constexpr ClarityClusterModel usual{.latency = 1500,
                                    .hop = 300,
                                    .bandwidth = 11,
                                    .oversubscription = 1,
                                    .ranksBelow = 32,
                                    .frame = 250,
                                    .kernel = 1'000};

}  // namespace

std::string_view commonExtensions() {
  static const std::string all = std::string(compiler::hostExtensions()) + std::string(host::runtimeExtensions);
  return all;
}

std::vector<std::unique_ptr<Device>> discover(const Options& options) {
  const char* const wanted = std::getenv("CLARITY_MODEL_NODES");
  const unsigned nodes = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 1;
  network = new model::Network(usual);
  std::vector<std::unique_ptr<cluster::Transport>> ranks;
  for (unsigned rank = 0; rank <= nodes; ++rank) ranks.push_back(network->transportOf(rank));
  const std::shared_ptr<Device> like = cpu::createDevice(options);
  for (unsigned rank = 1; rank <= nodes; ++rank) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::make_unique<model::ModelledDevice>(*network, rank, like));
    auto* const server = new cluster::server::Server(std::move(ranks[rank]), std::move(devices), false);
    network->setStep(rank, [server] { server->carryOn(); });
    server->begin();
  }
  cluster_ = new cluster::Cluster(std::move(ranks[0]));
  (void)cluster_->greet(std::chrono::seconds(60));
  return cluster_->devices();
}

}  // namespace clarity::device

extern "C" __attribute__((visibility("default"), used)) void clarityClusterModel(const ClarityClusterModel* model) {
  clarity::device::network->setModel(*model);
}

extern "C" __attribute__((visibility("default"), used)) void clarityClusterCounts(ClarityClusterCounts* counts) {
  *counts = clarity::device::network->counts();
}

// SPDX-License-Identifier: Apache-2.0
// This file makes this process a node of a cluster.
#include "device/cluster/join_cluster.h"
#include "device/cluster/server/server.h"
#include "device/device.h"

#include <utility>

namespace clarity::device {

std::string serve(const Options& options, void (*stuck)()) {
  std::string why;
  auto transport = cluster::openTransport(options.mpi, why);
  if (!transport) return why;
  if (transport->rank() == 0) return "rank 0 is the program's";
  cluster::server::Server server(std::move(transport), discover(options), true);
  why = server.serve(stuck);
  server.transport().leave();
  return why;
}

}  // namespace clarity::device

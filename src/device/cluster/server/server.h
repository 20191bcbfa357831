// SPDX-License-Identifier: Apache-2.0
// This file is a node: it executes what the host of the cluster wants done on the devices of its machine.
#pragma once

#include "device/cluster/protocol.h"
#include "device/cluster/server/objects.h"
#include "device/cluster/server/task.h"
#include "device/cluster/transport.h"
#include "device/device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::device::cluster::server {

using cluster::Bytes;
using cluster::Reader;
using cluster::Writer;

/// Commands wait here for those that they come after; what can run is submitted to the local devices. The thread of
/// serve() takes frames and executes small operations itself; while a long one keeps it, another thread takes frames.
class Server final : private cluster::Receiver {
public:
  /// `sendsOutput`: kernels print where the program does. One server of a process may do so.
  Server(std::unique_ptr<cluster::Transport>, std::vector<std::unique_ptr<Device>>, bool sendsOutput);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Returns when the program has ended, or is gone; the sentence says why if it did not end in order. Calls `stuck`
  /// if this thread cannot return, because a kernel keeps it.
  std::string serve(void (*stuck)() = nullptr);

  // The steps of serve(), for a thread that has several nodes.
  void begin();
  /// Takes what has come, executes what this thread can, and says what has ended. Whether there was anything.
  bool carryOn();

  cluster::Transport& transport() { return *transport_; }
  /// A task runs, or goes on; does not return before those that become ready by it run, too.
  void run(Task&);
  /// A task runs. That is said together with its end, but for long ones.
  void hasStarted(const Task&);
  /// A task has ended, with content for Done.
  void ended(Task&, Result, const Times&, std::span<const std::byte> content = {});
  /// Submits the operation of a task to its stream.
  void submitLocally(Submission&, const std::shared_ptr<LocalStream>&);
  /// It cannot go on; the first reason counts.
  void stop(std::string_view why);

private:
  void received(unsigned from, std::span<const std::byte> frame) noexcept override;
  void lost(unsigned rank, std::string_view why) noexcept override;

  bool handle(Reader&);
  bool handleObject(cluster::ToNode, Reader&);
  bool submit(Reader&);
  bool sendToNode(Reader&);
  void add(std::unique_ptr<Task>, std::span<const std::uint64_t> after);
  void source(Reader&);
  void program(const ProgramHash&, std::string_view bytes);
  void answerPartition(Reader&);
  void answerLargestGroup(Reader&);
  void answer(std::uint64_t question, std::string_view text);
  void print(std::string_view text);
  /// Does what may take long in a thread of its own, or here if there is none.
  void aside(std::function<void()> work);
  /// Adds to what is said next.
  template <class Write>
  void say(const Write& write, bool atOnce) {
    const std::lock_guard lock(mutex_);
    write(says_);
    if (atOnce) sendSaid();
  }
  void sendSaid();
  void flushSaid();
  void sayHello();
  void execute(Task&);
  bool helpStreams();
  void assist();
  /// Once in a while; stops if the host is gone.
  void lookForHost();

  std::unique_ptr<cluster::Transport> transport_;
  Objects objects_;  ///< for the thread in received()
  bool sendsOutput_;
  std::atomic<bool> ends_{false};
  std::atomic<std::uint64_t> hostProcess_{0};  ///< 0: it cannot be looked for
  std::atomic<std::uint64_t> heard_{0}, looked_{0}, helpingSince_{0};
  std::atomic<unsigned> aside_{0};  ///< threads of aside()
  void (*stuck_)() = nullptr;

  std::vector<std::shared_ptr<LocalStream>> helped_;  ///< for the thread of serve()

  std::mutex mutex_;                             ///< guards what follows
  std::string why_;                              ///< it ends
  std::vector<std::unique_ptr<Task>> tasks_;     ///< by the lower half of their ids
  std::vector<std::unique_ptr<Task>> nameless_;  ///< that send content to other nodes
  Writer says_;
  std::uint32_t said_ = 0;       ///< ends in says_
  std::uint64_t saidFirst_ = 0;  ///< when the first was
};

}  // namespace clarity::device::cluster::server

// SPDX-License-Identifier: Apache-2.0
// This file tests that no other rank waits for ever for a node: a test plays the host, and another node, and says what
// a right host would say only where something has gone wrong before.
#include "device/cluster/in_process.h"
#include "device/cluster/protocol.h"
#include "device/cluster/server/server.h"
#include "device/cpu/device.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace clarity::device::cluster {
namespace {

using namespace std::chrono_literals;

struct End final : Piece {
  std::atomic<int> moves{0}, whole{0};
  void moved(bool isWhole) noexcept override {
    whole += isWhole ? 1 : 0;
    ++moves;
  }
};

/// Takes what a node says to the host.
struct Listener final : Receiver {
  std::map<std::uint64_t, std::int32_t> done;  ///< codes by the commands' ids
  unsigned needs = 0;
  bool isHello = false;

  void received(unsigned, std::span<const std::byte> frame) noexcept override {
    Reader from(frame);
    while (!from.atEnd()) switch (from.get<ToHost>()) {
        case ToHost::Hello: isHello = true; return;
        case ToHost::Need:
          (void)from.get<std::array<std::uint64_t, 2>>();
          ++needs;
          break;
        case ToHost::Started: (void)from.get<std::uint64_t>(); break;
        case ToHost::Done: {
          const auto id = from.get<std::uint64_t>();
          done[id] = from.get<std::int32_t>();
          const auto flags = from.get<std::uint8_t>();
          if (flags & hasText) (void)from.text();
          if (flags & hasContent) (void)from.text();
          break;
        }
        default: return;
      }
  }
  void lost(unsigned, std::string_view) noexcept override {}
};

struct ClusterServer : testing::Test {
  static constexpr unsigned node = 1, other = 2;
  static constexpr std::uint32_t memory = firstNumber, stream = firstNumber + 1, program = firstNumber + 2;
  static constexpr std::uint32_t unknown = firstNumber + 99;
  static constexpr std::uint64_t bytes = 2 * pieceBytes + 10;  // three pieces

  std::vector<std::unique_ptr<Transport>> ranks = connectedInProcess(3);
  Listener listener, ofOther;
  std::unique_ptr<server::Server> server;
  std::string why;
  std::atomic<bool> hasEnded{false};
  std::thread thread;
  std::vector<std::byte> content = std::vector<std::byte>(bytes, std::byte{1});
  End end;

  void SetUp() override {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(cpu::createDevice({}));
    server = std::make_unique<server::Server>(std::move(ranks[node]), std::move(devices), false);
    thread = std::thread([this] {
      why = server->serve();
      hasEnded = true;
    });
    say([](Writer& to) {
      to.put(ToNode::Allocate).put(memory).put(std::uint32_t{0}).put(bytes);
      to.put(ToNode::MakeStream).put(stream).put(std::uint32_t{0}).put(true).put(false);
    });
    EXPECT_TRUE(until([&] { return listener.isHello; }));
  }
  void TearDown() override {
    say([](Writer& to) { to.put(ToNode::Leave); });
    thread.join();
  }

  void say(const std::function<void(Writer&)>& write) {
    Writer to;
    write(to);
    ranks[0]->send(node, to.take());
  }
  /// False after many seconds in vain.
  bool until(const std::function<bool()>& reached) {
    const auto last = std::chrono::steady_clock::now() + 120s;
    while (!reached()) {
      if (std::chrono::steady_clock::now() > last) return false;
      ranks[0]->progress(listener);
      ranks[other]->progress(ofOther);
      std::this_thread::sleep_for(100us);
    }
    return true;
  }
  /// A command whose operation `write` writes.
  void submit(std::uint64_t id, const std::function<void(Writer&)>& write) {
    say([&](Writer& to) {
      Writer operation;
      write(operation);
      to.put(ToNode::Submit).put(SubmitHead{id, stream, 0, static_cast<std::uint32_t>(operation.size()), 0});
      const Bytes written = operation.take();
      to.bytes(written);
    });
  }
  void sendToOther(std::uint32_t from, std::uint64_t offset) {
    say([&](Writer& to) { to.put(ToNode::Send).put(from).put(offset).put(bytes).put(other).put<std::uint64_t>(5); });
    forPieces(bytes, [&](std::size_t at, std::size_t size) {
      ranks[other]->receivePiece(node, 5, std::span(content).subspan(at, size), end);
    });
  }
};

TEST_F(ClusterServer, contentForAnotherNodeComes) {
  sendToOther(memory, 0);
  ASSERT_TRUE(until([&] { return end.moves == 3; }));
  EXPECT_EQ(end.whole, 3);
}

TEST_F(ClusterServer, contentThatItDoesNotHave) {
  sendToOther(unknown, 0);
  ASSERT_TRUE(until([&] { return end.moves == 3; }));
  EXPECT_EQ(end.whole, 0);
}

TEST_F(ClusterServer, contentBeyondTheEndOfItsMemory) {
  sendToOther(memory, 1);
  ASSERT_TRUE(until([&] { return end.moves == 3; }));
  EXPECT_EQ(end.whole, 0);
}

/// Memory may be freed as soon as the host knows that the other node has its content.
TEST_F(ClusterServer, memoryThatIsFreedWhileItsContentGoes) {
  say([&](Writer& to) {
    to.put(ToNode::Send).put(memory).put<std::uint64_t>(0).put(bytes).put(other).put<std::uint64_t>(5);
    to.put(ToNode::Free).put(memory);
  });
  submit(9, [](Writer& to) { to.put(Work::Nothing); });
  ASSERT_TRUE(until([&] { return listener.done.contains(9); }));
  forPieces(bytes, [&](std::size_t at, std::size_t size) {
    ranks[other]->receivePiece(node, 5, std::span(content).subspan(at, size), end);
  });
  ASSERT_TRUE(until([&] { return end.moves == 3; }));
  EXPECT_EQ(end.whole, 3);
}

TEST_F(ClusterServer, readsOfMemoryThatIsNotThere) {
  submit(9, [](Writer& to) { to.put(Work::Read).put(unknown).put<std::uint64_t>(0).put(bytes).put<std::uint64_t>(7); });
  forPieces(bytes, [&](std::size_t at, std::size_t size) {
    ranks[0]->receivePiece(node, 7, std::span(content).subspan(at, size), end);
  });
  ASSERT_TRUE(until([&] { return end.moves == 3 && listener.done.contains(9); }));
  EXPECT_EQ(end.whole, 0);
  EXPECT_NE(listener.done[9], 0);
}

TEST_F(ClusterServer, writesToMemoryThatIsNotThere) {
  submit(9,
         [](Writer& to) { to.put(Work::Write).put(unknown).put<std::uint64_t>(0).put(bytes).put<std::uint64_t>(7); });
  forPieces(bytes, [&](std::size_t at, std::size_t size) {
    ranks[0]->sendPiece(node, 7, std::span(content).subspan(at, size), end);
  });
  ASSERT_TRUE(until([&] { return end.moves == 3 && listener.done.contains(9); }));
  EXPECT_NE(listener.done[9], 0);
}

TEST_F(ClusterServer, contentThatAnotherNodeDoesNotHave) {
  submit(9, [](Writer& to) {
    to.put(Work::Receive).put(memory).put<std::uint64_t>(0).put(bytes).put(other).put<std::uint64_t>(7);
  });
  forPieces(bytes, [&](std::size_t, std::size_t) { ranks[other]->sendPiece(node, 7, {}, end); });
  ASSERT_TRUE(until([&] { return listener.done.contains(9); }));
  EXPECT_NE(listener.done[9], 0);
}

/// A program is asked for once, and again if the host had released it and a new one with the same code is wanted.
TEST_F(ClusterServer, programsThatTheHostHasReleased) {
  const std::array<std::uint64_t, 2> hash{static_cast<std::uint64_t>(::getpid()), 0x1234};
  say([&](Writer& to) {
    to.put(ToNode::Load).put(program).put(std::uint32_t{0}).put(hash);
    to.put(ToNode::Load).put(program + 1).put(std::uint32_t{0}).put(hash);
  });
  submit(9, [](Writer& to) { to.put(Work::Nothing); });
  ASSERT_TRUE(until([&] { return listener.done.contains(9); }));
  EXPECT_EQ(listener.needs, 1U);
  say([&](Writer& to) {
    to.put(ToNode::Unload).put(program);
    to.put(ToNode::Program).put(hash).text("");
  });
  ASSERT_TRUE(until([&] { return listener.needs == 2; }));
  say([&](Writer& to) {
    to.put(ToNode::Unload).put(program + 1);
    to.put(ToNode::Program).put(hash).text("");
    to.put(ToNode::Load).put(program).put(std::uint32_t{0}).put(hash);
  });
  ASSERT_TRUE(until([&] { return listener.needs == 3; }));
}

TEST_F(ClusterServer, endsWithASentenceAfterWhatIsNoMessage) {
  say([](Writer& to) { to.put(std::uint8_t{250}); });
  ASSERT_TRUE(until([&] { return hasEnded.load(); }));
  EXPECT_EQ(why, "the program sent what is no message");
}

}  // namespace
}  // namespace clarity::device::cluster

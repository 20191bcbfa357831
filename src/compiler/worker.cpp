// SPDX-License-Identifier: Apache-2.0
// This file keeps a few idle compile threads, so that a small build does not pay for the start of one.
#include "compiler/worker.h"

#include "support/fault_guard.h"

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <vector>

namespace clarity::compiler {
namespace {

/// Reserved, not used: only pages that are touched take memory. The smaller sizes are for address spaces with a limit.
constexpr std::size_t kStackSizes[] = {256u << 20, 64u << 20, 16u << 20};
constexpr std::size_t kMaxIdle = 4;

/// Runs on the calling thread. False after a fault: locks that the work held are lost, and the thread's stack holds
/// objects that will never be destroyed.
bool runHere(const std::function<void()>& work, Status& status, std::string& log) {
  support::Fault fault;
  std::string failure;
  status = Status::Internal;
  const bool returned = support::FaultGuard::run(
      [&] {
        try {
          work();
          status = Status::Ok;
        } catch (const std::bad_alloc&) {
          status = Status::OutOfMemory;
        } catch (const std::exception& error) {
          failure = error.what();
        } catch (...) {
          failure = "an unknown exception";
        }
      },
      fault);
  if (!returned) {
    status = fault.stackOverflow ? Status::CompileFailure : Status::Internal;
    log += fault.stackOverflow ? "error: the program is nested too deeply: the compiler has used up its stack\n"
                               : fmt::format("error: internal compiler error: {}\n", fault.describe());
  } else if (status == Status::OutOfMemory) {
    log += "error: not enough memory to compile the program\n";
  } else if (status == Status::Internal) {
    log += fmt::format("error: internal compiler error: {}\n", failure);
  }
  return returned;
}

thread_local bool isWorker = false;

/// A thread and the work that it is given.
class Worker {
public:
  /// Starts the thread; false if the system has none to give.
  bool start() {
    for (const std::size_t size : kStackSizes)
      if (startWithStack(size)) return true;
    return false;
  }

  /// Returns when the work is done. False if the thread has ended because of a fault.
  bool run(const std::function<void()>& work, Status& status, std::string& log) {
    std::unique_lock lock(mutex_);
    work_ = &work;
    status_ = &status;
    log_ = &log;
    wake_.notify_one();
    done_.wait(lock, [&] { return !work_; });
    return alive_;
  }

  /// Ends the thread, which then destroys this.
  void end() {
    std::lock_guard lock(mutex_);
    ending_ = true;
    wake_.notify_one();
  }

private:
  bool startWithStack(std::size_t size) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The application's signals are for its own threads; a fault's signal is for the thread that faults.
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&blocked, fault);
    pthread_attr_setsigmask_np(&attributes, &blocked);
    pthread_t thread;
    const bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                         pthread_create(&thread, &attributes, &Worker::entry, this) == 0;
    pthread_attr_destroy(&attributes);
    return started;
  }

  static void* entry(void* self) {
    pthread_setname_np(pthread_self(), "clarity-compile");
    isWorker = true;
    std::unique_ptr<Worker> worker(static_cast<Worker*>(self));
    worker->loop();
    if (!worker->ending_) static_cast<void>(worker.release());  // the caller of run() still looks at it
    return nullptr;
  }

  void loop() {
    std::unique_lock lock(mutex_);
    while (alive_) {
      wake_.wait(lock, [&] { return work_ || ending_; });
      if (!work_) return;
      lock.unlock();
      const bool returned = runHere(*work_, *status_, *log_);
      lock.lock();
      alive_ = returned;
      work_ = nullptr;
      done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void()>* work_ = nullptr;
  Status* status_ = nullptr;
  std::string* log_ = nullptr;
  bool alive_ = true;
  bool ending_ = false;
};

/// The idle threads. Never destroyed, because they outlive main().
class Pool {
public:
  /// A child of fork() has none of its parent's threads and gets a pool of its own.
  static Pool& ofThisProcess() {
    static std::atomic<Pool*> current{nullptr};
    Pool* pool = current.load(std::memory_order_acquire);
    if (pool && pool->process_ == ::getpid()) return *pool;
    auto* fresh = new Pool;
    if (current.compare_exchange_strong(pool, fresh, std::memory_order_acq_rel)) return *fresh;
    delete fresh;
    return *pool;
  }

  Status run(const std::function<void()>& work, std::string& log) {
    Status status = Status::Internal;
    Worker* worker = take();
    if (!worker) {
      runHere(work, status, log);
    } else if (worker->run(work, status, log)) {
      giveBack(worker);
    }  // else: a few hundred bytes of a thread that faulted stay behind
    return status;
  }

private:
  Worker* take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Worker* worker = idle_.back();
        idle_.pop_back();
        return worker;
      }
    }
    auto worker = std::make_unique<Worker>();
    return worker->start() ? worker.release() : nullptr;
  }

  void giveBack(Worker* worker) {
    {
      std::lock_guard lock(mutex_);
      if (idle_.size() < kMaxIdle) {
        idle_.push_back(worker);
        return;
      }
    }
    worker->end();
  }

  const pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::vector<Worker*> idle_;
};

}  // namespace

Status runGuarded(const std::function<void()>& work, std::string& log) {
  if (!isWorker) return Pool::ofThisProcess().run(work, log);
  Status status = Status::Internal;
  runHere(work, status, log);
  return status;
}

}  // namespace clarity::compiler

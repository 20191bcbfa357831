// SPDX-License-Identifier: Apache-2.0
// This file keeps a few idle compile threads, so that a small build does not pay for the start of one.
#include "compiler/guard/worker.h"

#include "compiler/guard/limits.h"

#include "support/fault_guard.h"
#include "support/memory_reserve.h"
#include "support/own_thread.h"
#include "support/process_end.h"

#include <clang/Basic/Version.h>
#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>

#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace clarity::compiler {
namespace {

/// Reserved, not used: only pages that are touched take memory. The smaller sizes are for address spaces with a limit.
#if defined(__has_feature) && __has_feature(address_sanitizer)
constexpr std::size_t stackSizes[] = {48u << 20, 16u << 20};  // it cannot follow a jump out of a larger one
#else
constexpr std::size_t stackSizes[] = {256u << 20, 64u << 20, 16u << 20};
#endif
constexpr std::size_t maxIdle = 4;

constexpr const char* noMemory = "not enough memory";
constexpr const char* cancelledText = "given up";

/// The time until a compile is looked at for the first time, and then from time to time.
constexpr std::chrono::milliseconds firstLook{1000}, nextLook{100};

/// The code of the compiler: clang's, LLVM's and ours, in one library or in several.
class CompilerCode {
public:
  static const CompilerCode& get() {
    static const CompilerCode code;
    return code;
  }
  bool contains(const void* instruction) const {
    const auto at = reinterpret_cast<std::uintptr_t>(instruction);
    return std::ranges::any_of(ranges_, [at](const Range& range) { return at >= range.begin && at < range.end; });
  }

private:
  struct Range {
    std::uintptr_t begin = 0, end = 0;
  };
  CompilerCode() { ::dl_iterate_phdr(visit, this); }

  static int visit(dl_phdr_info* object, std::size_t, void* self) {
    auto& ranges = static_cast<CompilerCode*>(self)->ranges_;
    const auto add = [&](const void* function) {
      const auto at = reinterpret_cast<std::uintptr_t>(function);
      for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
        const auto& part = object->dlpi_phdr[i];
        const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && at >= begin && at < begin + part.p_memsz)
          return Range{begin, begin + part.p_memsz};
      }
      return Range{};
    };
    const void* const functions[] = {reinterpret_cast<const void*>(&clang::getClangFullVersion),
                                     reinterpret_cast<const void*>(&llvm::install_fatal_error_handler),
                                     reinterpret_cast<const void*>(&runGuarded)};
    for (std::size_t i = 0; i < std::size(functions); ++i)
      if (const Range range = add(functions[i]); range.end) ranges[i] = range;
    return 0;
  }

  std::array<Range, 3> ranges_;
};

/// In a signal handler. Code outside of the compiler, such as the C library's heap, may hold locks of the process.
bool isInCompiler(const void* instruction) { return CompilerCode::get().contains(instruction); }

/// LLVM ends the process when it meets what it calls a fatal error; here that ends the compile.
void abandonCompile(void*, const char* reason, bool) { support::FaultGuard::abandon(reason); }
void abandonForMemory(void*, const char*, bool) { support::FaultGuard::abandon(noMemory); }

void installErrorHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(abandonCompile);
    llvm::install_bad_alloc_error_handler(abandonForMemory);
  });
}

/// Set on a worker: whether whoever waits for it has given its work up.
thread_local const std::atomic<bool>* cancelled = nullptr;

/// Runs on the calling thread. False after a fault, a limit or a lack of memory: locks that the work held are lost, and
/// the thread's stack holds objects that will never be destroyed.
bool runHere(const std::function<void()>& work, Status& status, std::string& log) {
  installErrorHandlers();
  (void)CompilerCode::get();  // before a signal handler asks
  const support::MemoryReserve reserve(mostBytesAtOnce());
  support::Fault fault;
  std::string failure, exceeded;
  status = Status::Internal;
  const support::FaultGuard::Endable endable(cancelled, isInCompiler);
  const bool returned = support::FaultGuard::run(
      [&] {
        try {
          const LimitedCompile limited;
          work();
          status = Status::Ok;
        } catch (const LimitExceeded& error) {
          exceeded = error.what();
        } catch (const std::bad_alloc&) {
          status = Status::OutOfMemory;
        } catch (const std::exception& error) {
          failure = error.what();
        } catch (...) {
          failure = "an unknown exception";
        }
      },
      fault);
  if (!returned && fault.signal == 0 && fault.text.empty() && cancelled && cancelled->load(std::memory_order_acquire))
    exceeded = cancelledText;
  if (!returned && fault.signal == 0 && fault.text == noMemory) status = Status::OutOfMemory;
  if (status == Status::OutOfMemory && support::MemoryReserve::refused() > 0)
    exceeded = tooMuchAtOnce(support::MemoryReserve::refused());
  if (status == Status::OutOfMemory && exceeded.empty()) {
    log += "error: not enough memory to compile the program\n";
  } else if (!exceeded.empty()) {
    status = Status::CompileFailure;
    if (exceeded != cancelledText) log += fmt::format("error: {}\n", exceeded);  // else who gave it up says why
    if (!support::processEnds()) ::malloc_trim(0);  // what was too much goes back to the system
  } else if (!returned) {
    status = fault.stackOverflow ? Status::CompileFailure : Status::Internal;
    log += fault.stackOverflow ? "error: the program is nested too deeply: the compiler has used up its stack\n"
                               : fmt::format("error: internal compiler error: {}\n", fault.describe());
  } else if (status == Status::Internal) {
    log += fmt::format("error: internal compiler error: {}\n", failure);
  }
  // LLVM may have kept something of frames that are gone: it goes with the thread.
  return returned && exceeded.empty() && status != Status::OutOfMemory;
}

/// The same on a thread where no caller catches what runHere() throws for want of memory.
bool runOnWorker(const std::function<void()>& work, Status& status, std::string& log) noexcept {
  try {
    return runHere(work, status, log);
  } catch (...) {
    status = Status::OutOfMemory;
    return false;
  }
}

/// The C library gives a thread's heap more memory a page at a time, with a system call for each that no other thread's
/// page fault may overtake. A megabyte that was once taken and is free behind a small block stays the heap's.
class RoomyHeap {
public:
  RoomyHeap() {
    std::array<std::unique_ptr<char[]>, 12> pieces;
    for (auto& piece : pieces) piece.reset(new (std::nothrow) char[100 << 10]);
    last_.reset(new (std::nothrow) char[100]);
  }

private:
  std::unique_ptr<char[]> last_;
};

thread_local bool isWorker = false;

/// A thread and the work that it is given. Owned by the thread and by whoever gives it work.
class Worker {
public:
  /// A worker with its thread, or nullptr if the system has none to give.
  static std::shared_ptr<Worker> start() {
    auto worker = std::make_shared<Worker>();
    for (const std::size_t size : stackSizes)
      if (startWithStack(size, worker)) return worker;
    return nullptr;
  }

  /// Returns when the work is done, or was given up because it has taken more than it may. False if the thread has
  /// ended because of a fault.
  bool run(const std::function<void()>& work, Status& status, std::string& log) {
    std::unique_lock lock(mutex_);
    begun_.wait(lock, [&] { return number_ != 0; });
    const CompileWatch watch(number_);
    std::string why;
    cancelled_.store(false, std::memory_order_relaxed);
    work_ = &work;
    status_ = &status;
    log_ = &log;
    wake_.notify_one();
    for (auto look = firstLook; !done_.wait_for(lock, look, [&] { return !work_; }); look = nextLook) {
      if (why.empty()) why = watch.exceeded();
      if (why.empty()) continue;
      // It ends at once, or is somewhere where it must not be ended and is asked again.
      cancelled_.store(true, std::memory_order_release);
      support::FaultGuard::requestEnd(thread_);
    }
    if (!alive_ && !why.empty() && status == Status::CompileFailure) log += fmt::format("error: {}\n", why);
    return alive_;
  }

  /// Ends the thread.
  void end() {
    std::lock_guard lock(mutex_);
    ending_ = true;
    wake_.notify_one();
  }

private:
  static bool startWithStack(std::size_t size, const std::shared_ptr<Worker>& worker) {
    auto owner = std::make_unique<std::shared_ptr<Worker>>(worker);
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    const support::OwnThreadSignals signals;
    pthread_t thread;
    const bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                         pthread_create(&thread, &attributes, &Worker::entry, owner.get()) == 0;
    if (started) static_cast<void>(owner.release());  // entry() has it
    pthread_attr_destroy(&attributes);
    return started;
  }

  static void* entry(void* owner) {
    pthread_setname_np(pthread_self(), "clarity-compile");
    isWorker = true;
    const RoomyHeap heap;
    const std::unique_ptr<std::shared_ptr<Worker>> worker(static_cast<std::shared_ptr<Worker>*>(owner));
    cancelled = &(*worker)->cancelled_;
    (*worker)->loop();
    return nullptr;
  }

  void loop() {
    std::unique_lock lock(mutex_);
    thread_ = ::pthread_self();
    number_ = ::gettid();
    begun_.notify_one();
    while (alive_) {
      wake_.wait(lock, [&] { return work_ || ending_; });
      if (!work_) return;
      lock.unlock();
      const bool returned = runOnWorker(*work_, *status_, *log_);
      lock.lock();
      alive_ = returned;
      work_ = nullptr;
      done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begun_, wake_, done_;
  pthread_t thread_{};
  pid_t number_ = 0;  ///< 0 until the thread has begun
  std::atomic<bool> cancelled_{false};
  const std::function<void()>* work_ = nullptr;
  Status* status_ = nullptr;
  std::string* log_ = nullptr;
  bool alive_ = true;
  bool ending_ = false;
};

/// The idle threads. Never destroyed, because they outlive main().
class Pool {
public:
  Pool() { idle_.reserve(maxIdle); }

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
    std::shared_ptr<Worker> worker = take();
    if (!worker) {
      runHere(work, status, log);
    } else if (worker->run(work, status, log)) {
      returnToPool(std::move(worker));
    }
    return status;
  }

private:
  std::shared_ptr<Worker> take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::shared_ptr<Worker> worker = std::move(idle_.back());
        idle_.pop_back();
        return worker;
      }
    }
    return Worker::start();
  }

  void returnToPool(std::shared_ptr<Worker> worker) {
    {
      std::lock_guard lock(mutex_);
      if (idle_.size() < maxIdle) {
        idle_.push_back(std::move(worker));
        return;
      }
    }
    worker->end();
  }

  const pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::vector<std::shared_ptr<Worker>> idle_;
};

}  // namespace

Status runGuarded(const std::function<void()>& work, std::string& log) {
  return isWorker ? runGuardedHere(work, log) : Pool::ofThisProcess().run(work, log);
}

Status runGuardedHere(const std::function<void()>& work, std::string& log) {
  Status status = Status::Internal;
  runHere(work, status, log);
  return status;
}

}  // namespace clarity::compiler

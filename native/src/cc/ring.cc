#include "ring.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace {
// After this many passes without a record the thread sleeps longer, for a tracer that sees nothing should cost nothing.
constexpr uint32_t kIdlePasses = 32;
constexpr uint32_t kIdleMs = 10;
// A reserved record is submitted within microseconds unless its CPU was taken away; look again soon.
constexpr uint32_t kBusyMs = 1;
// A flush does not wait longer than this for a record that stays reserved.
constexpr std::chrono::seconds kFlushPatience{1};
// Batches below this are copied into JavaScript's own memory: cheaper than lending a whole buffer for a few records.
constexpr size_t kLendFromBytes = 256 * 1024;

// Where real-time threads are not allowed but a better priority is.
constexpr int kNiceness = -10;

// Best effort: without the right to either, the thread runs as all others do. Both are of this thread alone.
void GoBeforeOthers() {
  sched_param lowest = {};
  lowest.sched_priority = sched_get_priority_min(SCHED_RR);
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) == 0) return;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNiceness);
}

// The lent buffer on its way back to its pool.
struct Loan {
  std::shared_ptr<BufferPool> pool;
  std::unique_ptr<Buffer> buffer;
};

void EndLoan(Napi::Env, void*, Loan* loan) {
  loan->pool->Put(std::move(loan->buffer));
  delete loan;
}

Napi::Value CopyToJs(Napi::Env env, const std::shared_ptr<BufferPool>& pool, std::unique_ptr<Buffer> buffer) {
  Napi::ArrayBuffer array = Napi::ArrayBuffer::New(env, buffer->usedBytes);
  memcpy(array.Data(), buffer->data, buffer->usedBytes);
  pool->Put(std::move(buffer));
  return array;
}

Napi::Value LendToJs(Napi::Env env, const std::shared_ptr<BufferPool>& pool, std::unique_ptr<Buffer> buffer) {
  auto loan = std::make_unique<Loan>(Loan{pool, std::move(buffer)});
  uint8_t* data = loan->buffer->data;
  size_t usedBytes = loan->buffer->usedBytes;
  napi_value array = nullptr;
  // The raw call, because a host without external buffers (Electron) is not an error: there the batch is copied.
  napi_status status = napi_create_external_arraybuffer(
      env, data, usedBytes,
      [](napi_env caller, void* memory, void* hint) { EndLoan(caller, memory, static_cast<Loan*>(hint)); }, loan.get(), &array);
  if (status != napi_ok) return CopyToJs(env, pool, std::move(loan->buffer));
  loan.release();
  return Napi::Value(env, array);
}

void AbortAtExit(void* ring) { static_cast<Ring*>(ring)->Abort(); }
}  // namespace

Ring::Ring(const RingOptions& options)
    : options_(options), pool_(std::make_shared<BufferPool>(options.batchBytes, options.maxPendingBatches + 1)) {}

void Ring::CloseFiles() {
  for (int* fd : {&mapFd_, &epollFd_, &wakeFd_}) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
  }
}

int Ring::Open(int mapFd, size_t sizeBytes) {
  mapFd_ = fcntl(mapFd, F_DUPFD_CLOEXEC, 0);
  if (mapFd_ < 0) return errno;
  if (int error = memory_.Open(mapFd_, sizeBytes)) return error;
  epollFd_ = epoll_create1(EPOLL_CLOEXEC);
  wakeFd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (epollFd_ < 0 || wakeFd_ < 0) return errno;
  // Edge-triggered: the kernel calls a ring "readable" whenever it holds anything, so a level-triggered wait would return
  // at once under load and turn the deadline into a busy loop. An edge is a wake-up that a program asked for.
  epoll_event ring = {};
  ring.events = EPOLLIN | EPOLLET;
  ring.data.fd = mapFd_;
  epoll_event wake = {};
  wake.events = EPOLLIN;
  wake.data.fd = wakeFd_;
  if (epoll_ctl(epollFd_, EPOLL_CTL_ADD, mapFd_, &ring) || epoll_ctl(epollFd_, EPOLL_CTL_ADD, wakeFd_, &wake)) return errno;
  return 0;
}

void Ring::Start(Napi::Env env, Napi::Function onMessage) {
  env_ = env;
  self_ = shared_from_this();
  poster_ = Poster::New(env, onMessage, "ebpf ring buffer", 0, 1);
  // Hooks run last in, first out: made after the poster, this one stops the thread before the poster goes.
  napi_add_env_cleanup_hook(env, AbortAtExit, this);
  sigset_t all, before;
  sigfillset(&all);
  // The thread inherits the mask: the process's signals are for Node's threads.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { Run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // Named from here, so that it bears its name from the caller's next statement on and not from its own first time slice.
  pthread_setname_np(thread_.native_handle(), "ebpf-ring");
}

void Ring::Flush(uint32_t token) {
  if (!thread_.joinable()) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    flushes_.push_back({token, memory_.ProducerPosition(), std::chrono::steady_clock::now() + kFlushPatience});
  }
  Wake();
}

void Ring::Stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (isStopping_) return;
    isStopping_ = true;
    flushes_.push_back({0, memory_.ProducerPosition(), std::chrono::steady_clock::now() + kFlushPatience});
  }
  Wake();
}

void Ring::Acknowledge() {
  bool isAwaited;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (pendingBatches_ > 0) pendingBatches_--;
    isAwaited = isAwaitingSlot_;
  }
  if (isAwaited) Wake();
}

void Ring::Abort() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    isAborted_ = true;
  }
  Wake();
  Join();
}

void Ring::Wake() {
  changed_.notify_one();
  const uint64_t one = 1;
  // Fails only when the counter is at its maximum, and then the thread is being woken already.
  [[maybe_unused]] ssize_t written = write(wakeFd_, &one, sizeof(one));
}

void Ring::Join() {
  if (!thread_.joinable()) return;
  thread_.join();
  napi_remove_env_cleanup_hook(env_, AbortAtExit, this);
  memory_.Close();
  CloseFiles();
  batch_ = {};
  kept_.clear();
  // May destroy this ring, on return.
  const std::shared_ptr<Ring> last = std::move(self_);
}

// ---- the ring's thread -------------------------------------------------------------------------------------------------

void Ring::Run() {
  if (options_.isRealTime) GoBeforeOthers();
  while (true) {
    Pass pass = Drain();
    if (AnswerFlushes(pass)) break;
    Sleep(pass);
  }
  Post(std::make_unique<Message>(Message{shared_from_this(), kEnded, nullptr, 0, 0}));
  if (!isPosterClosed_) poster_.Release();
}

// Empties the ring into batches, and posts what JavaScript may have.
Ring::Pass Ring::Drain() {
  Pass pass;
  size_t leastBytes = 0;
  while (WaitForRoom()) {
    NoteHighWater();
    if (!batch_.buffer) batch_.buffer = pool_->Get(leastBytes);
    // Without memory nothing is read: the ring fills, and the kernel side counts what does not fit. Looked at again soon, as at
    // a record that is not committed, and a flush waits for neither for ever.
    if (!batch_.buffer) {
      pass.isBusy = true;
      break;
    }
    Buffer& out = *batch_.buffer;
    auto taken = memory_.Take(out.data + out.usedBytes, out.capacityBytes - out.usedBytes);
    out.usedBytes += taken.bytes;
    batch_.records += taken.records;
    pass.bytes += taken.bytes;
    counters_.discarded += taken.discarded;
    pass.isBusy = taken.stop == RingMemory::Stop::kBusy;
    leastBytes = taken.neededBytes;
    if (taken.stop == RingMemory::Stop::kFull) Keep();
    PostWaiting();
    NoteBacklog();
    if (taken.stop != RingMemory::Stop::kFull) break;
  }
  idlePasses_ = pass.bytes > 0 ? 0 : idlePasses_ + 1;
  return pass;
}

// The batch is full. One that is empty and yet too small for the next record, larger than a batch, makes room for a buffer of
// that record's own.
void Ring::Keep() {
  if (batch_.buffer->usedBytes > 0) {
    keptBytes_ += batch_.buffer->capacityBytes;
    kept_.push_back(std::move(batch_));
  }
  batch_ = {};
}

// Posts kept batches, then the one being filled, as far as JavaScript may have them.
void Ring::PostWaiting() {
  while (!kept_.empty() && MayPost()) {
    keptBytes_ -= kept_.front().buffer->capacityBytes;
    PostBatch(std::move(kept_.front()));
    kept_.pop_front();
  }
  if (kept_.empty() && batch_.buffer && batch_.buffer->usedBytes > 0 && MayPost()) PostBatch(std::exchange(batch_, {}));
}

void Ring::NoteBacklog() {
  const uint64_t nowBytes = keptBytes_ + (batch_.buffer ? batch_.buffer->usedBytes : 0);
  counters_.backlogBytes = nowBytes;
  if (nowBytes > counters_.backlogPeakBytes) counters_.backlogPeakBytes = nowBytes;
}

void Ring::NoteHighWater() {
  uint64_t usedBytes = memory_.ProducerPosition() - memory_.ConsumerPosition();
  if (usedBytes > counters_.highWaterBytes) counters_.highWaterBytes = usedBytes;
}

// Under the lock. While a flush is asked for, the limit does not hold: what may exceed it is bounded by the ring's size, and
// waiting would deadlock a flush that is awaited inside a batch's own callback.
bool Ring::HasRoom() const { return isAborted_ || !flushes_.empty() || pendingBatches_ < options_.maxPendingBatches; }

// Whether one batch may go to JavaScript now. If not, the next acknowledgement wakes the thread.
bool Ring::MayPost() {
  std::lock_guard<std::mutex> lock(mutex_);
  isAwaitingSlot_ = !HasRoom();
  return !isAwaitingSlot_;
}

// Waits until another batch can be filled: to be posted, or to be kept. False when the thread must end.
bool Ring::WaitForRoom() {
  PostWaiting();
  std::unique_lock<std::mutex> lock(mutex_);
  while (!HasRoom() && keptBytes_ + options_.batchBytes > options_.backlogBytes) {
    counters_.stalls++;
    isAwaitingSlot_ = true;
    changed_.wait(lock, [this] { return HasRoom(); });
    isAwaitingSlot_ = false;
    lock.unlock();
    PostWaiting();
    lock.lock();
  }
  return !isAborted_;
}

// Posts kFlushed for each flush that has been reached. True when the thread shall end.
bool Ring::AnswerFlushes(const Pass& pass) {
  std::deque<FlushRequest> reached;
  bool isOver = false;
  // What was asked for after the last look finds batches that were kept: the next look posts them.
  const bool isAllPosted = kept_.empty() && (!batch_.buffer || batch_.buffer->usedBytes == 0);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    while (!flushes_.empty()) {
      const FlushRequest& next = flushes_.front();
      bool isStuck = pass.isBusy && now > next.deadline;
      if (!isAllPosted || (memory_.ConsumerPosition() < next.position && !isStuck)) break;
      reached.push_back(next);
      flushes_.pop_front();
    }
    isOver = isAborted_ || (isStopping_ && flushes_.empty());
  }
  for (const FlushRequest& flush : reached) {
    Post(std::make_unique<Message>(Message{shared_from_this(), kFlushed, nullptr, 0, flush.token}));
  }
  return isOver;
}

void Ring::Sleep(const Pass& pass) {
  uint32_t timeoutMs = options_.pollMs;
  if (pass.isBusy) {
    timeoutMs = kBusyMs;
  } else if (pass.bytes > memory_.sizeBytes() / 4) {
    timeoutMs = 0;  // at this rate the ring could overflow before the next look
  } else if (idlePasses_ > kIdlePasses) {
    timeoutMs = std::max(options_.pollMs, kIdleMs);
  }
  epoll_event events[2];
  int count = epoll_wait(epollFd_, events, 2, static_cast<int>(timeoutMs));
  for (int i = 0; i < count; i++) {
    uint64_t ignored;
    if (events[i].data.fd == wakeFd_ && read(wakeFd_, &ignored, sizeof(ignored)) < 0) continue;
  }
}

void Ring::PostBatch(Filled filled) {
  counters_.records += filled.records;
  counters_.bytes += filled.buffer->usedBytes;
  counters_.batches++;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    pendingBatches_++;
  }
  Post(std::make_unique<Message>(Message{shared_from_this(), kBatch, std::move(filled.buffer), filled.records, 0}));
}

bool Ring::Post(std::unique_ptr<Message> message) {
  if (isPosterClosed_) return false;
  napi_status status = poster_.NonBlockingCall(message.get());
  if (status == napi_ok) {
    message.release();
    return true;
  }
  // After napi_closing the poster may not be touched again, not even to release it.
  isPosterClosed_ = status == napi_closing;
  return false;
}

// ---- the JavaScript thread ---------------------------------------------------------------------------------------------

void Ring::Deliver(Napi::Env env, Napi::Function onMessage, std::nullptr_t*, Message* raw) {
  std::unique_ptr<Message> message(raw);
  // No environment: it is ending, and Abort has joined the thread or will.
  if (!env) return;
  Ring& ring = *message->ring;
  if (message->kind == kEnded) ring.Join();
  Napi::Value buffer = env.Undefined();
  if (message->buffer) {
    bool isLent = message->buffer->usedBytes >= kLendFromBytes;
    buffer = isLent ? LendToJs(env, ring.pool_, std::move(message->buffer)) : CopyToJs(env, ring.pool_, std::move(message->buffer));
  }
  onMessage.Call({Napi::Number::New(env, message->kind), buffer, Napi::Number::New(env, message->records),
                  Napi::Number::New(env, message->token)});
}

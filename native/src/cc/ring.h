// The consumer of one ring buffer: a thread that copies records into batches and posts them to JavaScript.
//
// Three parties: the JavaScript thread (Start, Flush, Stop, Acknowledge), the ring's thread (Run and what it calls), and
// the environment's end (Abort). `mutex_` guards the fields under it and is never held while calling into JavaScript or
// into the thread-safe function. The ring keeps itself alive (`self_`) from Start until its thread has been joined, so a
// running ring is never destroyed; once joined it holds no descriptor and no mapping, however late it is collected.
//
// A record's way: ring → `batch_`, being filled → `kept_`, full → posted. Batches leave in that order. While JavaScript has
// fewer than maxPendingBatches, what is there is posted after each look, so kept_ is empty and batches are as small as the
// look was; while it is behind, batches are filled and kept, up to backlogBytes; after that the thread stops reading.
#pragma once

#include <napi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "buffers.h"
#include "ring_memory.h"

struct RingOptions {
  uint32_t pollMs;
  uint32_t batchBytes;
  uint32_t maxPendingBatches;
  uint64_t backlogBytes;
  bool isRealTime;  // of the ring's thread; what the process may not have it goes without
};

class Ring : public std::enable_shared_from_this<Ring> {
 public:
  static constexpr napi_type_tag kTag = {0x6562706674726163, 0x5};
  // What a message to JavaScript says. kFlushed and kEnded come after all batches that they speak of.
  enum Kind : uint32_t { kBatch = 0, kFlushed = 1, kEnded = 2 };
  struct Counters {
    std::atomic<uint64_t> records{0};
    std::atomic<uint64_t> bytes{0};       // of samples with their frames
    std::atomic<uint64_t> discarded{0};   // records that the program discarded
    std::atomic<uint64_t> batches{0};
    std::atomic<uint64_t> stalls{0};      // how often the thread stopped because JavaScript was behind
    std::atomic<uint64_t> highWaterBytes{0};
    std::atomic<uint64_t> backlogBytes{0};  // memory of batches that wait for JavaScript to catch up
    std::atomic<uint64_t> backlogPeakBytes{0};
  };

  explicit Ring(const RingOptions& options);
  ~Ring() { CloseFiles(); }

  // Returns 0 or an errno. The map's descriptor is duplicated; the caller's may be closed afterwards.
  int Open(int mapFd, size_t sizeBytes);
  void Start(Napi::Env env, Napi::Function onMessage);
  // Posts kFlushed(token) once everything that is in the ring now has been posted. After the end it does nothing.
  void Flush(uint32_t token);
  // Flushes, then ends the thread and posts kEnded. A second call does nothing.
  void Stop();
  // JavaScript is done with one batch.
  void Acknowledge();
  // Ends the thread without flushing and waits for it.
  void Abort();
  const Counters& counters() const { return counters_; }
  size_t sizeBytes() const { return memory_.sizeBytes(); }

 private:
  struct Message {
    std::shared_ptr<Ring> ring;
    Kind kind;
    std::unique_ptr<Buffer> buffer;
    uint32_t records;
    uint32_t token;
  };
  struct FlushRequest {
    uint32_t token;
    uint64_t position;  // producer position at the time of the request
    std::chrono::steady_clock::time_point deadline;
  };
  struct Pass {
    uint64_t bytes = 0;
    bool isBusy = false;
  };
  struct Filled {
    std::unique_ptr<Buffer> buffer;
    uint32_t records = 0;
  };
  static void Deliver(Napi::Env env, Napi::Function onMessage, std::nullptr_t*, Message* message);
  using Poster = Napi::TypedThreadSafeFunction<std::nullptr_t, Message, Deliver>;

  void Run();
  Pass Drain();
  void Sleep(const Pass& pass);
  bool WaitForRoom();
  bool HasRoom() const;
  bool MayPost();
  void Keep();
  void PostWaiting();
  bool AnswerFlushes(const Pass& pass);
  void PostBatch(Filled filled);
  void NoteBacklog();
  bool Post(std::unique_ptr<Message> message);
  void Wake();
  void Join();
  void CloseFiles();
  void NoteHighWater();

  const RingOptions options_;
  RingMemory memory_;
  std::shared_ptr<BufferPool> pool_;
  Counters counters_;
  int mapFd_ = -1;
  int epollFd_ = -1;
  int wakeFd_ = -1;

  // The ring's thread only.
  Filled batch_;             // being filled
  std::deque<Filled> kept_;  // full, and JavaScript is behind
  uint64_t keptBytes_ = 0;   // capacity of what is in kept_
  uint32_t idlePasses_ = 0;
  bool isPosterClosed_ = false;

  // The JavaScript thread only.
  std::shared_ptr<Ring> self_;
  std::thread thread_;
  napi_env env_ = nullptr;

  Poster poster_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint32_t pendingBatches_ = 0;        // posted and not yet acknowledged
  bool isAwaitingSlot_ = false;        // the thread has batches that it may not post yet
  std::deque<FlushRequest> flushes_;
  bool isStopping_ = false;
  bool isAborted_ = false;
};

void RegisterRing(Napi::Env env, Napi::Object exports);

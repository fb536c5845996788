// Batch memory. A buffer goes from the ring's thread to JavaScript and comes back here, when the ArrayBuffer that lends it
// is released or collected, to be used again; allocating (and page-faulting) a fresh megabyte per batch would cost more
// than the copy. Thread-safe. Shared ownership: an ArrayBuffer may live longer than its ring.
//
// Mapped, not taken from the heap: what a burst needed goes back to the system as soon as it is read, which a heap does not
// promise. Pages that no record reached are never touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

struct Buffer {
  Buffer() = default;
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  uint8_t* data = nullptr;
  size_t capacityBytes = 0;
  size_t usedBytes = 0;
};

class BufferPool {
 public:
  BufferPool(size_t bufferBytes, size_t keepAtMost) : bufferBytes_(bufferBytes), keepAtMost_(keepAtMost) {}

  // At least `leastBytes`; the pool's own size unless that is not enough. Null when the system has no memory.
  std::unique_ptr<Buffer> Get(size_t leastBytes = 0);
  void Put(std::unique_ptr<Buffer> buffer);

 private:
  const size_t bufferBytes_;
  const size_t keepAtMost_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> idle_;
};

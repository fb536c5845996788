// Batch memory. A buffer goes from the ring's thread to JavaScript and comes back here, when the ArrayBuffer that lends it
// is released or collected, to be used again; allocating (and page-faulting) a fresh megabyte per batch would cost more
// than the copy. Thread-safe. Shared ownership: an ArrayBuffer may live longer than its ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

struct Buffer {
  std::unique_ptr<uint8_t[]> data;
  size_t capacityBytes = 0;
  size_t usedBytes = 0;
};

class BufferPool {
 public:
  BufferPool(size_t bufferBytes, size_t keepAtMost) : bufferBytes_(bufferBytes), keepAtMost_(keepAtMost) {}

  // At least `leastBytes`; the pool's own size unless that is not enough.
  std::unique_ptr<Buffer> Get(size_t leastBytes = 0);
  void Put(std::unique_ptr<Buffer> buffer);

 private:
  const size_t bufferBytes_;
  const size_t keepAtMost_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffer>> idle_;
};

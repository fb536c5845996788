#include "buffers.h"

#include <algorithm>

std::unique_ptr<Buffer> BufferPool::Get(size_t leastBytes) {
  if (leastBytes <= bufferBytes_) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Buffer> buffer = std::move(idle_.back());
      idle_.pop_back();
      return buffer;
    }
  }
  auto buffer = std::make_unique<Buffer>();
  buffer->capacityBytes = std::max(leastBytes, bufferBytes_);
  // Not make_unique: that would clear memory which the copy overwrites anyway.
  buffer->data.reset(new uint8_t[buffer->capacityBytes]);
  return buffer;
}

void BufferPool::Put(std::unique_ptr<Buffer> buffer) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (buffer->capacityBytes != bufferBytes_ || idle_.size() >= keepAtMost_) return;
  buffer->usedBytes = 0;
  idle_.push_back(std::move(buffer));
}

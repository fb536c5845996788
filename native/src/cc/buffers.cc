#include "buffers.h"

#include <sys/mman.h>

#include <algorithm>

Buffer::~Buffer() {
  if (data) munmap(data, capacityBytes);
}

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
  const size_t capacityBytes = std::max(leastBytes, bufferBytes_);
  void* memory = mmap(nullptr, capacityBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  buffer->data = static_cast<uint8_t*>(memory);
  buffer->capacityBytes = capacityBytes;
  return buffer;
}

void BufferPool::Put(std::unique_ptr<Buffer> buffer) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (buffer->capacityBytes != bufferBytes_ || idle_.size() >= keepAtMost_) return;
  buffer->usedBytes = 0;
  idle_.push_back(std::move(buffer));
}

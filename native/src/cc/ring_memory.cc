#include "ring_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace {
constexpr uint32_t kBusyBit = 1u << 31;     // BPF_RINGBUF_BUSY_BIT
constexpr uint32_t kDiscardBit = 1u << 30;  // BPF_RINGBUF_DISCARD_BIT
constexpr size_t kHeaderBytes = 8;          // BPF_RINGBUF_HDR_SZ
// The consumer position shares a cache line with the producers' check for space, so it is stored rarely; but a producer
// must not wait for a whole batch to be copied either.
constexpr uint64_t kGiveBackBytes = 64 * 1024;

uint64_t* Position(uint8_t* page) { return reinterpret_cast<uint64_t*>(page); }

// The frame is whole 8-byte words; the last one is cleared first so that the padding is zero.
void CopyFrame(uint8_t* out, const uint8_t* sample, uint32_t lengthBytes, size_t frameBytes) {
  memset(out + frameBytes - 8, 0, 8);
  const uint32_t header[2] = {lengthBytes, 0};
  memcpy(out, header, kHeaderBytes);
  memcpy(out + kHeaderBytes, sample, lengthBytes);
}
}  // namespace

void RingMemory::Close() {
  if (consumerPage_) munmap(consumerPage_, pageBytes_);
  if (producerPage_) munmap(producerPage_, pageBytes_ + 2 * size_);
  consumerPage_ = producerPage_ = nullptr;
  data_ = nullptr;
}

int RingMemory::Open(int mapFd, size_t sizeBytes) {
  pageBytes_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_ = sizeBytes;
  void* consumer = mmap(nullptr, pageBytes_, PROT_READ | PROT_WRITE, MAP_SHARED, mapFd, 0);
  if (consumer == MAP_FAILED) return errno;
  consumerPage_ = static_cast<uint8_t*>(consumer);
  void* producer = mmap(nullptr, pageBytes_ + 2 * size_, PROT_READ, MAP_SHARED, mapFd, static_cast<off_t>(pageBytes_));
  if (producer == MAP_FAILED) return errno;
  producerPage_ = static_cast<uint8_t*>(producer);
  data_ = producerPage_ + pageBytes_;
  return 0;
}

uint64_t RingMemory::ConsumerPosition() const { return __atomic_load_n(Position(consumerPage_), __ATOMIC_RELAXED); }

uint64_t RingMemory::ProducerPosition() const { return __atomic_load_n(Position(producerPage_), __ATOMIC_ACQUIRE); }

RingMemory::Taken RingMemory::Take(uint8_t* out, size_t spaceBytes) {
  Taken taken;
  uint64_t position = ConsumerPosition();
  uint64_t givenBack = position;
  const uint64_t end = ProducerPosition();
  while (position < end) {
    const uint8_t* record = data_ + (position & (size_ - 1));
    uint32_t header = __atomic_load_n(reinterpret_cast<const uint32_t*>(record), __ATOMIC_ACQUIRE);
    if (header & kBusyBit) {
      taken.stop = Stop::kBusy;
      break;
    }
    uint32_t lengthBytes = header & ~(kBusyBit | kDiscardBit);
    size_t frameBytes = (kHeaderBytes + lengthBytes + 7) & ~size_t{7};
    if (header & kDiscardBit) {
      taken.discarded++;
    } else if (frameBytes > spaceBytes - taken.bytes) {
      taken.stop = Stop::kFull;
      taken.neededBytes = frameBytes;
      break;
    } else {
      CopyFrame(out + taken.bytes, record + kHeaderBytes, lengthBytes, frameBytes);
      taken.bytes += frameBytes;
      taken.records++;
    }
    position += frameBytes;
    if (position - givenBack < kGiveBackBytes) continue;
    __atomic_store_n(Position(consumerPage_), position, __ATOMIC_RELEASE);
    givenBack = position;
  }
  // Sequentially consistent, like the kernel's own reader: the store must not sink below the caller's next look at the
  // producer position, or a wake-up meant for an empty ring could be missed.
  if (position != givenBack) __atomic_store_n(Position(consumerPage_), position, __ATOMIC_SEQ_CST);
  return taken;
}

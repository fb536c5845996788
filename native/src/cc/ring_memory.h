// The memory of one BPF ring buffer and the reading of it: mapping, positions, record headers. No threads, no JavaScript.
//
// Layout (kernel/bpf/ringbuf.c): one page with the consumer position (ours to write), one page with the producer position,
// then the data, mapped twice in a row, so that a record that wraps is still contiguous. Positions only grow; the place in
// the data is position & (size - 1). A record is an 8-byte header {u32 length | BUSY | DISCARD, u32 reserved} and the
// sample, padded to 8. The producer reserves (BUSY set), writes, then clears BUSY with a release; so the header is read
// with acquire before the sample. The consumer position is stored with release after the copy: from then on the producer
// may overwrite.
#pragma once

#include <cstddef>
#include <cstdint>

class RingMemory {
 public:
  // kEmpty: all consumed. kBusy: the next record is reserved but not yet submitted. kFull: the next record does not fit
  // into what is left of the output; it needs `neededBytes`.
  enum class Stop { kEmpty, kBusy, kFull };
  struct Taken {
    size_t bytes = 0;
    uint32_t records = 0;
    uint32_t discarded = 0;
    size_t neededBytes = 0;
    Stop stop = Stop::kEmpty;
  };

  RingMemory() = default;
  ~RingMemory() { Close(); }
  RingMemory(const RingMemory&) = delete;
  RingMemory& operator=(const RingMemory&) = delete;

  // `sizeBytes` is the map's max_entries. Returns 0 or an errno.
  int Open(int mapFd, size_t sizeBytes);
  // Unmaps; only sizeBytes may be asked afterwards.
  void Close();
  size_t sizeBytes() const { return size_; }
  uint64_t ConsumerPosition() const;
  uint64_t ProducerPosition() const;
  // Copies whole records as frames {u32 length, u32 0, sample, padding with zeros to 8} and gives their place back.
  // Discarded records are consumed and counted, not copied. One thread at a time.
  Taken Take(uint8_t* out, size_t spaceBytes);

 private:
  uint8_t* consumerPage_ = nullptr;
  uint8_t* producerPage_ = nullptr;
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t pageBytes_ = 0;
};

// The bpf(2) calls that libbpf 1.1 does not know, with the layout of their attributes. Numbers are kernel ABI
// (include/uapi/linux/bpf.h); they never change.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace sys {

constexpr uint32_t kAttachUprobeMulti = 48;    // BPF_TRACE_UPROBE_MULTI, kernel >= 6.6
constexpr uint32_t kAttachUprobeSession = 57;  // BPF_TRACE_UPROBE_SESSION, kernel >= 6.13
constexpr int kCommandLinkCreate = 28;         // BPF_LINK_CREATE
constexpr uint32_t kUprobeMultiReturn = 1;     // BPF_F_UPROBE_MULTI_RETURN

// union bpf_attr, member link_create.uprobe_multi.
struct UprobeMultiAttr {
  uint32_t programFd;
  uint32_t targetFd;
  uint32_t attachType;
  uint32_t flags;
  uint64_t path;
  uint64_t offsets;
  uint64_t refCtrOffsets;
  uint64_t cookies;
  uint32_t count;
  uint32_t multiFlags;
  uint32_t pid;
  uint32_t zero;
};
static_assert(offsetof(UprobeMultiAttr, path) == 16 && offsetof(UprobeMultiAttr, pid) == 56, "kernel ABI");

// Returns a file descriptor or -1 with errno.
inline int LinkUprobeMulti(const UprobeMultiAttr& attr) {
  return static_cast<int>(syscall(SYS_bpf, kCommandLinkCreate, &attr, sizeof(attr)));
}

}  // namespace sys

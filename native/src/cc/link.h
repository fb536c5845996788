// An attachment: either one of libbpf's links or the bare descriptor of a link that libbpf 1.1 cannot make. Closing it (or
// losing the last handle) detaches. It keeps its program alive in the kernel by itself, so it may outlive the object.
//
// Detaching a uprobe waits until the kernel has seen every CPU leave it (tens of milliseconds). Multi-uprobe links may wait
// at the same time, so many links are closed in parallel; perf event uprobes wait for each other inside the kernel.
#pragma once

#include <bpf/libbpf.h>
#include <napi.h>

#include <utility>

class Link {
 public:
  static constexpr napi_type_tag kTag = {0x6562706674726163, 0x4};

  explicit Link(bpf_link* raw) : raw_(raw) {}
  explicit Link(int fd) : fd_(fd) {}
  Link(Link&& other) : raw_(std::exchange(other.raw_, nullptr)), fd_(std::exchange(other.fd_, -1)) {}
  ~Link() { Close(); }
  void Close();

 private:
  bpf_link* raw_ = nullptr;
  int fd_ = -1;
};

void RegisterLink(Napi::Env env, Napi::Object exports);

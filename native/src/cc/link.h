// An attachment: either one of libbpf's links or the bare descriptor of a link that libbpf 1.1 cannot make. Closing it (or
// losing the last handle) detaches. It keeps its program alive in the kernel by itself, so it may outlive the object.
#pragma once

#include <bpf/libbpf.h>
#include <napi.h>

struct Link {
  static constexpr napi_type_tag kTag = {0x6562706674726163, 0x4};
  bpf_link* raw = nullptr;
  int fd = -1;

  ~Link() { Close(); }
  void Close();
};

void RegisterLink(Napi::Env env, Napi::Object exports);

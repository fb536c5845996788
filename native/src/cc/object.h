// A BPF object file in memory: opened, then loaded into the kernel, then closed. Programs and maps belong to it and hold
// it by shared_ptr; `raw` is null once it is closed, and whoever holds a program or map must look before use.
#pragma once

#include <bpf/libbpf.h>
#include <napi.h>

#include <memory>

struct Object {
  static constexpr napi_type_tag kTag = {0x6562706674726163, 0x1};
  bpf_object* raw = nullptr;
  bool isLoaded = false;

  ~Object() { Close(); }
  void Close();
};

struct Program {
  static constexpr napi_type_tag kTag = {0x6562706674726163, 0x2};
  std::shared_ptr<Object> object;
  bpf_program* raw = nullptr;
};

struct Map {
  static constexpr napi_type_tag kTag = {0x6562706674726163, 0x3};
  std::shared_ptr<Object> object;
  bpf_map* raw = nullptr;
};

void RegisterObject(Napi::Env env, Napi::Object exports);
void RegisterProgram(Napi::Env env, Napi::Object exports);
void RegisterMap(Napi::Env env, Napi::Object exports);

#include "fail.h"

#include <cstring>

namespace {
// "EPERM" for 1. Numbers that libc has no name for (libbpf's own start at 4000) keep their number.
std::string NameOf(int error) {
  const char* name = strerrorname_np(error);
  return name ? name : "E" + std::to_string(error);
}
}  // namespace

Napi::Value Fail(Napi::Env env, int error, const std::string& operation, const std::string& detail,
                 const std::string& log) {
  Napi::Object failure = Napi::Object::New(env);
  failure.Set("errno", error);
  failure.Set("code", NameOf(error));
  failure.Set("operation", operation);
  failure.Set("detail", detail);
  if (!log.empty()) failure.Set("log", log);
  return failure;
}

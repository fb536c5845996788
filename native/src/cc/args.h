// Reads the arguments of one call. The TypeScript face has checked them already; this is the second wall, so that no
// caller can crash the process: the first argument that does not fit is remembered, later reads return harmless values.
// Hazard: Bytes point into JavaScript memory and are valid only until the native function returns.
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;
};

// A native thing in JavaScript's hands: an External that owns one shared_ptr. T::kTag is what keeps a link from being
// passed where a map is wanted.
template <class T>
Napi::Value ToHandle(Napi::Env env, std::shared_ptr<T> thing) {
  auto* owner = new std::shared_ptr<T>(std::move(thing));
  auto handle = Napi::External<std::shared_ptr<T>>::New(env, owner, [](Napi::Env, std::shared_ptr<T>* p) { delete p; });
  handle.TypeTag(&T::kTag);
  return handle;
}

class Args {
 public:
  Args(const Napi::CallbackInfo& info, const char* operation) : info_(info), operation_(operation) {}

  Napi::Env env() const { return info_.Env(); }
  const char* operation() const { return operation_; }
  bool ok() const { return wrong_.empty(); }
  bool Has(size_t index) const { return index < info_.Length() && !info_[index].IsUndefined(); }

  std::string Text(size_t index, const char* name);
  Bytes View(size_t index, const char* name);
  // A bigint in 0…2^64-1 or a non-negative safe integer.
  uint64_t Unsigned(size_t index, const char* name);
  uint32_t Unsigned32(size_t index, const char* name);
  int32_t Signed32(size_t index, const char* name);
  bool Flag(size_t index, const char* name);
  std::vector<uint64_t> UnsignedList(size_t index, const char* name);
  std::vector<uint32_t> Unsigned32List(size_t index, const char* name);
  Napi::Function Callback(size_t index, const char* name);

  template <class T>
  std::shared_ptr<T> Handle(size_t index, const char* name) {
    return index < info_.Length() ? FromHandle<T>(info_[index], name) : FromHandle<T>(env().Undefined(), name);
  }

  template <class T>
  std::vector<std::shared_ptr<T>> Handles(const Napi::Value& list, const char* name) {
    std::vector<std::shared_ptr<T>> things;
    if (!list.IsArray()) {
      Complain(name, "an array of handles");
      return things;
    }
    auto array = list.As<Napi::Array>();
    for (uint32_t i = 0; i < array.Length(); i++) things.push_back(FromHandle<T>(array.Get(i), name));
    return ok() ? things : std::vector<std::shared_ptr<T>>();
  }

  // The failure for arguments that did not fit.
  Napi::Value Failure() const;
  // Any other failure of this operation.
  Napi::Value Failure(int error, const std::string& detail, const std::string& log = "") const;

 private:
  template <class T>
  std::shared_ptr<T> FromHandle(const Napi::Value& value, const char* name) {
    if (value.IsExternal()) {
      auto handle = value.As<Napi::External<std::shared_ptr<T>>>();
      if (handle.CheckTypeTag(&T::kTag)) return *handle.Data();
    }
    Complain(name, "a handle made by this addon");
    return nullptr;
  }
  void Complain(const char* name, const char* wanted);
  bool ReadUnsigned(const Napi::Value& value, uint64_t* out) const;

  const Napi::CallbackInfo& info_;
  const char* operation_;
  std::string wrong_;
};

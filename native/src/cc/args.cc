#include "args.h"

#include <cerrno>
#include <cmath>

#include "fail.h"

namespace {
constexpr double kMaxSafeInteger = 9007199254740991.0;  // 2^53 - 1: above it a double skips integers
}

void Args::Complain(const char* name, const char* wanted) {
  if (wrong_.empty()) wrong_ = std::string(name) + " must be " + wanted;
}

std::string Args::Text(size_t index, const char* name) {
  if (index < info_.Length() && info_[index].IsString()) {
    std::string text = info_[index].As<Napi::String>().Utf8Value();
    // A NUL would silently cut the text where C code reads it.
    if (text.find('\0') == std::string::npos) return text;
  }
  Complain(name, "a string without NUL");
  return "";
}

Bytes Args::View(size_t index, const char* name) {
  if (index < info_.Length() && info_[index].IsTypedArray()) {
    auto array = info_[index].As<Napi::TypedArray>();
    if (array.TypedArrayType() == napi_uint8_array) {
      auto view = info_[index].As<Napi::Uint8Array>();
      return {view.Data(), view.ByteLength()};
    }
  }
  Complain(name, "a Uint8Array");
  return {};
}

bool Args::ReadUnsigned(const Napi::Value& value, uint64_t* out) const {
  if (value.IsBigInt()) {
    bool lossless = false;
    *out = value.As<Napi::BigInt>().Uint64Value(&lossless);
    return lossless;
  }
  if (!value.IsNumber()) return false;
  double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= 0 && number <= kMaxSafeInteger) || std::trunc(number) != number) return false;
  *out = static_cast<uint64_t>(number);
  return true;
}

uint64_t Args::Unsigned(size_t index, const char* name) {
  uint64_t value = 0;
  if (index >= info_.Length() || !ReadUnsigned(info_[index], &value)) Complain(name, "an unsigned 64-bit integer");
  return value;
}

uint32_t Args::Unsigned32(size_t index, const char* name) {
  uint64_t value = 0;
  if (index < info_.Length() && ReadUnsigned(info_[index], &value) && value <= UINT32_MAX) {
    return static_cast<uint32_t>(value);
  }
  Complain(name, "an unsigned 32-bit integer");
  return 0;
}

int32_t Args::Signed32(size_t index, const char* name) {
  if (index < info_.Length() && info_[index].IsNumber()) {
    double number = info_[index].As<Napi::Number>().DoubleValue();
    if (number >= INT32_MIN && number <= INT32_MAX && std::trunc(number) == number) return static_cast<int32_t>(number);
  }
  Complain(name, "a 32-bit integer");
  return 0;
}

bool Args::Flag(size_t index, const char* name) {
  if (index < info_.Length() && info_[index].IsBoolean()) return info_[index].As<Napi::Boolean>().Value();
  Complain(name, "a boolean");
  return false;
}

std::vector<uint64_t> Args::UnsignedList(size_t index, const char* name) {
  std::vector<uint64_t> values;
  if (index >= info_.Length() || !info_[index].IsArray()) {
    Complain(name, "an array of unsigned 64-bit integers");
    return values;
  }
  auto array = info_[index].As<Napi::Array>();
  for (uint32_t i = 0; i < array.Length(); i++) {
    uint64_t value = 0;
    if (!ReadUnsigned(array.Get(i), &value)) Complain(name, "an array of unsigned 64-bit integers");
    values.push_back(value);
  }
  return values;
}

std::vector<uint32_t> Args::Unsigned32List(size_t index, const char* name) {
  std::vector<uint32_t> values;
  for (uint64_t value : UnsignedList(index, name)) {
    if (value > UINT32_MAX) Complain(name, "an array of unsigned 32-bit integers");
    values.push_back(static_cast<uint32_t>(value));
  }
  return values;
}

Napi::Function Args::Callback(size_t index, const char* name) {
  if (index < info_.Length() && info_[index].IsFunction()) return info_[index].As<Napi::Function>();
  Complain(name, "a function");
  return Napi::Function();
}

Napi::Value Args::Failure() const { return Fail(env(), EINVAL, operation_, wrong_); }

Napi::Value Args::Failure(int error, const std::string& detail, const std::string& log) const {
  return Fail(env(), error, operation_, detail, log);
}

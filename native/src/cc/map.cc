// Reading and writing maps. Every size is checked here against the map's own, because the kernel trusts the pointers.
// Per-CPU maps hold one value per possible CPU, each rounded up to 8 bytes, and are read and written whole.
#include <bpf/bpf.h>

#include <cerrno>
#include <cstring>

#include "args.h"
#include "object.h"

namespace {

bool IsPerCpu(bpf_map_type type) {
  return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_LRU_PERCPU_HASH ||
         type == BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE;
}

size_t CpuCount(const bpf_map* map) {
  return IsPerCpu(bpf_map__type(map)) ? static_cast<size_t>(libbpf_num_possible_cpus()) : 1;
}

// Bytes that the kernel copies for one value.
size_t ValueBytes(const bpf_map* map) {
  size_t one = bpf_map__value_size(map);
  return IsPerCpu(bpf_map__type(map)) ? (one + 7) / 8 * 8 * CpuCount(map) : one;
}

// Null when the map may be used.
const char* WhyNotUsable(const Map& map) {
  if (!map.object->raw) return "the object is closed";
  return bpf_map__fd(map.raw) < 0 ? "the object is not loaded" : nullptr;
}

std::string SizeComplaint(const char* what, size_t wanted, size_t got) {
  return std::string(what) + " of this map has " + std::to_string(wanted) + " bytes, not " + std::to_string(got);
}

Napi::Value Info(const Napi::CallbackInfo& info) {
  Args args(info, "map.info");
  auto map = args.Handle<Map>(0, "map");
  if (!args.ok()) return args.Failure();
  if (!map->object->raw) return args.Failure(EBADF, "the object is closed");
  Napi::Object out = Napi::Object::New(args.env());
  out.Set("type", static_cast<uint32_t>(bpf_map__type(map->raw)));
  out.Set("keySize", bpf_map__key_size(map->raw));
  out.Set("valueSize", bpf_map__value_size(map->raw));
  out.Set("maxEntries", bpf_map__max_entries(map->raw));
  out.Set("cpuCount", static_cast<uint32_t>(CpuCount(map->raw)));
  out.Set("valueBytes", static_cast<double>(ValueBytes(map->raw)));
  return out;
}

// (map, key) -> value | undefined
Napi::Value Get(const Napi::CallbackInfo& info) {
  Args args(info, "map.get");
  auto map = args.Handle<Map>(0, "map");
  Bytes key = args.View(1, "key");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotUsable(*map)) return args.Failure(EBADF, why);
  size_t keySize = bpf_map__key_size(map->raw);
  if (key.size != keySize) return args.Failure(EINVAL, SizeComplaint("the key", keySize, key.size));
  // From malloc, not from V8's heap: the kernel writes into it before V8 knows of it.
  std::vector<uint8_t> value(ValueBytes(map->raw));
  if (bpf_map_lookup_elem(bpf_map__fd(map->raw), key.data, value.data())) {
    return errno == ENOENT ? args.env().Undefined() : args.Failure(errno, "");
  }
  Napi::Uint8Array out = Napi::Uint8Array::New(args.env(), value.size());
  memcpy(out.Data(), value.data(), value.size());
  return out;
}

// (map, key, value, flags: 0 any, 1 only new, 2 only existing)
Napi::Value Set(const Napi::CallbackInfo& info) {
  Args args(info, "map.set");
  auto map = args.Handle<Map>(0, "map");
  Bytes key = args.View(1, "key");
  Bytes value = args.View(2, "value");
  uint64_t flags = args.Unsigned(3, "flags");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotUsable(*map)) return args.Failure(EBADF, why);
  size_t keySize = bpf_map__key_size(map->raw);
  size_t valueBytes = ValueBytes(map->raw);
  if (key.size != keySize) return args.Failure(EINVAL, SizeComplaint("the key", keySize, key.size));
  if (value.size != valueBytes) return args.Failure(EINVAL, SizeComplaint("the value", valueBytes, value.size));
  if (bpf_map_update_elem(bpf_map__fd(map->raw), key.data, value.data, flags)) return args.Failure(errno, "");
  return args.env().Undefined();
}

// (map, key) -> whether it was there
Napi::Value Delete(const Napi::CallbackInfo& info) {
  Args args(info, "map.delete");
  auto map = args.Handle<Map>(0, "map");
  Bytes key = args.View(1, "key");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotUsable(*map)) return args.Failure(EBADF, why);
  size_t keySize = bpf_map__key_size(map->raw);
  if (key.size != keySize) return args.Failure(EINVAL, SizeComplaint("the key", keySize, key.size));
  if (bpf_map_delete_elem(bpf_map__fd(map->raw), key.data) == 0) return Napi::Boolean::New(args.env(), true);
  return errno == ENOENT ? Napi::Boolean::New(args.env(), false) : args.Failure(errno, "");
}

// (map, key | undefined) -> the key after it (the first one for undefined) | undefined at the end
Napi::Value NextKey(const Napi::CallbackInfo& info) {
  Args args(info, "map.keys");
  auto map = args.Handle<Map>(0, "map");
  Bytes key = args.Has(1) ? args.View(1, "key") : Bytes{};
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotUsable(*map)) return args.Failure(EBADF, why);
  size_t keySize = bpf_map__key_size(map->raw);
  if (args.Has(1) && key.size != keySize) return args.Failure(EINVAL, SizeComplaint("the key", keySize, key.size));
  // A ring buffer has no keys; its key size of 0 must not become a null pointer with a meaning.
  if (keySize == 0) return args.Failure(EINVAL, "this kind of map has no keys");
  std::vector<uint8_t> next(keySize);
  if (bpf_map_get_next_key(bpf_map__fd(map->raw), key.data, next.data())) {
    return errno == ENOENT ? args.env().Undefined() : args.Failure(errno, "");
  }
  Napi::Uint8Array out = Napi::Uint8Array::New(args.env(), keySize);
  memcpy(out.Data(), next.data(), keySize);
  return out;
}

}  // namespace

void RegisterMap(Napi::Env env, Napi::Object exports) {
  exports.Set("mapInfo", Napi::Function::New(env, Info));
  exports.Set("mapGet", Napi::Function::New(env, Get));
  exports.Set("mapSet", Napi::Function::New(env, Set));
  exports.Set("mapDelete", Napi::Function::New(env, Delete));
  exports.Set("mapNextKey", Napi::Function::New(env, NextKey));
}

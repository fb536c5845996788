// What JavaScript can ask of a ring.
#include <bpf/libbpf.h>

#include <cerrno>

#include "args.h"
#include "object.h"
#include "ring.h"

namespace {

// (map, pollMs, batchBytes, maxPendingBatches, backlogBytes, isRealTime, onMessage(kind, buffer, records, token)) -> handle
Napi::Value Open(const Napi::CallbackInfo& info) {
  Args args(info, "ring.open");
  auto map = args.Handle<Map>(0, "map");
  RingOptions options = {args.Unsigned32(1, "pollMs"), args.Unsigned32(2, "batchBytes"),
                         args.Unsigned32(3, "maxPendingBatches"), args.Unsigned(4, "backlogBytes"),
                         args.Flag(5, "isRealTime")};
  Napi::Function onMessage = args.Callback(6, "onMessage");
  if (!args.ok()) return args.Failure();
  if (options.maxPendingBatches == 0 || options.batchBytes < 8) return args.Failure(EINVAL, "a limit is 0");
  if (!map->object->raw) return args.Failure(EBADF, "the object is closed");
  if (bpf_map__fd(map->raw) < 0) return args.Failure(EBADF, "the object is not loaded");
  if (bpf_map__type(map->raw) != BPF_MAP_TYPE_RINGBUF) {
    return args.Failure(EINVAL, std::string("map '") + bpf_map__name(map->raw) + "' is not a ring buffer");
  }
  auto ring = std::make_shared<Ring>(options);
  if (int error = ring->Open(bpf_map__fd(map->raw), bpf_map__max_entries(map->raw))) {
    return args.Failure(error, bpf_map__name(map->raw));
  }
  ring->Start(args.env(), onMessage);
  return ToHandle(args.env(), ring);
}

Napi::Value Flush(const Napi::CallbackInfo& info) {
  Args args(info, "ring.drain");
  auto ring = args.Handle<Ring>(0, "ring");
  uint32_t token = args.Unsigned32(1, "token");
  if (!args.ok()) return args.Failure();
  ring->Flush(token);
  return args.env().Undefined();
}

Napi::Value Stop(const Napi::CallbackInfo& info) {
  Args args(info, "ring.close");
  auto ring = args.Handle<Ring>(0, "ring");
  if (!args.ok()) return args.Failure();
  ring->Stop();
  return args.env().Undefined();
}

Napi::Value Acknowledge(const Napi::CallbackInfo& info) {
  Args args(info, "ring.acknowledge");
  auto ring = args.Handle<Ring>(0, "ring");
  if (!args.ok()) return args.Failure();
  ring->Acknowledge();
  return args.env().Undefined();
}

Napi::Value Stats(const Napi::CallbackInfo& info) {
  Args args(info, "ring.stats");
  auto ring = args.Handle<Ring>(0, "ring");
  if (!args.ok()) return args.Failure();
  const Ring::Counters& counters = ring->counters();
  Napi::Object stats = Napi::Object::New(args.env());
  stats.Set("records", static_cast<double>(counters.records));
  stats.Set("bytes", static_cast<double>(counters.bytes));
  stats.Set("discarded", static_cast<double>(counters.discarded));
  stats.Set("batches", static_cast<double>(counters.batches));
  stats.Set("stalls", static_cast<double>(counters.stalls));
  stats.Set("highWaterBytes", static_cast<double>(counters.highWaterBytes));
  stats.Set("backlogBytes", static_cast<double>(counters.backlogBytes));
  stats.Set("backlogPeakBytes", static_cast<double>(counters.backlogPeakBytes));
  stats.Set("sizeBytes", static_cast<double>(ring->sizeBytes()));
  return stats;
}

// (arrayBuffer): takes its memory away; views of it become empty, never dangling.
Napi::Value Detach(const Napi::CallbackInfo& info) {
  Args args(info, "batch.release");
  if (info.Length() < 1 || !info[0].IsArrayBuffer()) return args.Failure(EINVAL, "the batch must be an ArrayBuffer");
  auto buffer = info[0].As<Napi::ArrayBuffer>();
  if (!buffer.IsDetached()) buffer.Detach();
  return args.env().Undefined();
}

}  // namespace

void RegisterRing(Napi::Env env, Napi::Object exports) {
  exports.Set("ringOpen", Napi::Function::New(env, Open));
  exports.Set("ringFlush", Napi::Function::New(env, Flush));
  exports.Set("ringStop", Napi::Function::New(env, Stop));
  exports.Set("ringAcknowledge", Napi::Function::New(env, Acknowledge));
  exports.Set("ringStats", Napi::Function::New(env, Stats));
  exports.Set("bufferDetach", Napi::Function::New(env, Detach));
}

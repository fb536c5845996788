// The addon's entry: installs the log capture and hands out the functions of each idea. No state of its own; everything
// lives in handles, so several environments (worker threads) may load it side by side.
#include <napi.h>

#include "link.h"
#include "log.h"
#include "object.h"
#include "ring.h"

void RegisterProbe(Napi::Env env, Napi::Object exports);
void RegisterPrivileges(Napi::Env env, Napi::Object exports);
void RegisterSockets(Napi::Env env, Napi::Object exports);

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  LogCapture::Install();
  RegisterObject(env, exports);
  RegisterProgram(env, exports);
  RegisterLink(env, exports);
  RegisterMap(env, exports);
  RegisterRing(env, exports);
  RegisterProbe(env, exports);
  RegisterPrivileges(env, exports);
  RegisterSockets(env, exports);
  return exports;
}

NODE_API_MODULE(ebpf, Init)

#include "link.h"

#include <unistd.h>

#include "args.h"
#include "log.h"

void Link::Close() {
  LogCapture quiet;
  if (raw) bpf_link__destroy(raw);
  if (fd >= 0) close(fd);
  raw = nullptr;
  fd = -1;
}

static Napi::Value CloseLink(const Napi::CallbackInfo& info) {
  Args args(info, "link.close");
  auto link = args.Handle<Link>(0, "link");
  if (!args.ok()) return args.Failure();
  link->Close();
  return args.env().Undefined();
}

void RegisterLink(Napi::Env env, Napi::Object exports) {
  exports.Set("linkClose", Napi::Function::New(env, CloseLink));
}

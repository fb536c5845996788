// Attaching programs, and what the kernel knows of a loaded one.
#include <bpf/bpf.h>

#include <cerrno>
#include <cstring>

#include "args.h"
#include "link.h"
#include "log.h"
#include "object.h"
#include "sys.h"

namespace {

// Null when the program may be attached.
const char* WhyNotLoaded(const Program& program) {
  if (!program.object->raw) return "the object is closed";
  return bpf_program__fd(program.raw) < 0 ? "the program is not loaded" : nullptr;
}

Napi::Value FromLibbpf(const Args& args, const LogCapture& log, bpf_link* raw, int error) {
  if (!raw) return args.Failure(error, log.LastLine(), log.text());
  return ToHandle(args.env(), std::make_shared<Link>(raw));
}

// (program, path, offset, symbol: "" = none, pid: -1 = all, isReturn, cookie)
Napi::Value AttachUprobe(const Napi::CallbackInfo& info) {
  Args args(info, "program.attachUprobe");
  auto program = args.Handle<Program>(0, "program");
  std::string path = args.Text(1, "path");
  uint64_t offset = args.Unsigned(2, "offset");
  std::string symbol = args.Text(3, "symbol");
  int32_t pid = args.Signed32(4, "pid");
  bool isReturn = args.Flag(5, "retprobe");
  uint64_t cookie = args.Unsigned(6, "cookie");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotLoaded(*program)) return args.Failure(EBADF, why);

  LogCapture log;
  LIBBPF_OPTS(bpf_uprobe_opts, options);
  options.retprobe = isReturn;
  options.bpf_cookie = cookie;
  if (!symbol.empty()) options.func_name = symbol.c_str();
  bpf_link* raw = bpf_program__attach_uprobe_opts(program->raw, pid, path.c_str(), offset, &options);
  return FromLibbpf(args, log, raw, errno);
}

// (program, path, offsets, cookies: [] = none, pid: 0 = all, isReturn)
Napi::Value AttachUprobeMulti(const Napi::CallbackInfo& info) {
  Args args(info, "program.attachUprobeMulti");
  auto program = args.Handle<Program>(0, "program");
  std::string path = args.Text(1, "path");
  std::vector<uint64_t> offsets = args.UnsignedList(2, "offsets");
  std::vector<uint64_t> cookies = args.UnsignedList(3, "cookies");
  uint32_t pid = args.Unsigned32(4, "pid");
  bool isReturn = args.Flag(5, "retprobe");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotLoaded(*program)) return args.Failure(EBADF, why);
  if (!cookies.empty() && cookies.size() != offsets.size()) return args.Failure(EINVAL, "cookies and offsets differ in number");

  sys::UprobeMultiAttr attr = {};
  attr.programFd = static_cast<uint32_t>(bpf_program__fd(program->raw));
  attr.attachType = static_cast<uint32_t>(bpf_program__expected_attach_type(program->raw));
  attr.path = reinterpret_cast<uintptr_t>(path.c_str());
  attr.offsets = reinterpret_cast<uintptr_t>(offsets.data());
  attr.cookies = cookies.empty() ? 0 : reinterpret_cast<uintptr_t>(cookies.data());
  attr.count = static_cast<uint32_t>(offsets.size());
  attr.multiFlags = isReturn ? sys::kUprobeMultiReturn : 0;
  attr.pid = pid;
  int fd = sys::LinkUprobeMulti(attr);
  if (fd < 0) return args.Failure(errno, path);
  return ToHandle(args.env(), std::make_shared<Link>(fd));
}

// (program, name)
Napi::Value AttachRawTracepoint(const Napi::CallbackInfo& info) {
  Args args(info, "program.attachRawTracepoint");
  auto program = args.Handle<Program>(0, "program");
  std::string name = args.Text(1, "name");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotLoaded(*program)) return args.Failure(EBADF, why);
  LogCapture log;
  bpf_link* raw = bpf_program__attach_raw_tracepoint(program->raw, name.c_str());
  return FromLibbpf(args, log, raw, errno);
}

// (program, category, name)
Napi::Value AttachTracepoint(const Napi::CallbackInfo& info) {
  Args args(info, "program.attachTracepoint");
  auto program = args.Handle<Program>(0, "program");
  std::string category = args.Text(1, "category");
  std::string name = args.Text(2, "name");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotLoaded(*program)) return args.Failure(EBADF, why);
  LogCapture log;
  bpf_link* raw = bpf_program__attach_tracepoint(program->raw, category.c_str(), name.c_str());
  return FromLibbpf(args, log, raw, errno);
}

// (program) -> {id, instructions, runCount, runTimeNs}; the last two stay 0n until statistics are enabled.
Napi::Value Stats(const Napi::CallbackInfo& info) {
  Args args(info, "program.stats");
  auto program = args.Handle<Program>(0, "program");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotLoaded(*program)) return args.Failure(EBADF, why);
  bpf_prog_info kernel = {};
  uint32_t size = sizeof(kernel);
  int error = bpf_obj_get_info_by_fd(bpf_program__fd(program->raw), &kernel, &size);
  if (error) return args.Failure(-error, "");
  Napi::Object stats = Napi::Object::New(args.env());
  stats.Set("id", kernel.id);
  stats.Set("verifiedInstructions", kernel.verified_insns);
  stats.Set("runCount", Napi::BigInt::New(args.env(), static_cast<uint64_t>(kernel.run_cnt)));
  stats.Set("runTimeNs", Napi::BigInt::New(args.env(), static_cast<uint64_t>(kernel.run_time_ns)));
  stats.Set("recursionMisses", Napi::BigInt::New(args.env(), static_cast<uint64_t>(kernel.recursion_misses)));
  return stats;
}

// () -> link handle; the kernel counts run time of all programs while it is open.
Napi::Value EnableStats(const Napi::CallbackInfo& info) {
  Args args(info, "enableStats");
  int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
  if (fd < 0) return args.Failure(errno, "");
  return ToHandle(args.env(), std::make_shared<Link>(fd));
}

}  // namespace

void RegisterProgram(Napi::Env env, Napi::Object exports) {
  exports.Set("programAttachUprobe", Napi::Function::New(env, AttachUprobe));
  exports.Set("programAttachUprobeMulti", Napi::Function::New(env, AttachUprobeMulti));
  exports.Set("programAttachRawTracepoint", Napi::Function::New(env, AttachRawTracepoint));
  exports.Set("programAttachTracepoint", Napi::Function::New(env, AttachTracepoint));
  exports.Set("programStats", Napi::Function::New(env, Stats));
  exports.Set("enableStats", Napi::Function::New(env, EnableStats));
}

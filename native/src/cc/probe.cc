// Feature probes: each really makes the thing with a tiny program, and where it is a probe on a function, calls the function
// and looks whether the program ran. Nothing stays attached or loaded.
#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <napi.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "args.h"
#include "fail.h"
#include "sys.h"

// What the uprobes are put on. Out of line and never merged with another function, so that it has an address of its own.
extern "C" __attribute__((noinline, used)) void EbpfProbeTarget() { asm volatile("nop"); }

namespace {

constexpr uint64_t kCookie = 0x1122334455667788;

class Fd {
 public:
  explicit Fd(int fd) : fd_(fd) {}
  ~Fd() {
    if (fd_ >= 0) close(fd_);
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

// The step that failed and why; errno 0 = it works.
struct Outcome {
  int error;
  const char* step;
};
constexpr Outcome kWorks = {0, ""};

struct Place {
  std::string path;
  uint64_t offset = 0;
};

// The file and file offset that a code address of this process was mapped from.
Place PlaceOf(const void* code) {
  const auto address = reinterpret_cast<uintptr_t>(code);
  FILE* maps = fopen("/proc/self/maps", "re");
  if (!maps) return {};
  Place place;
  char line[4096 + 128];
  while (fgets(line, sizeof(line), maps)) {
    unsigned long start = 0, end = 0, offset = 0;
    int pathAt = 0;
    if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &start, &end, &offset, &pathAt) < 3) continue;
    if (address < start || address >= end) continue;
    line[strcspn(line, "\n")] = 0;
    place = {line + pathAt, address - start + offset};
    break;
  }
  fclose(maps);
  return place;
}

bpf_insn Move(uint8_t to, int32_t value) {
  return {BPF_ALU64 | BPF_MOV | BPF_K, static_cast<uint8_t>(to & 0xf), 0, 0, value};
}

// A program that stores the attach cookie (or, where cookies do not exist, kCookie's low half) into a map's only value.
int LoadStore(int mapFd, bool readsCookie, uint32_t attachType) {
  std::vector<bpf_insn> code;
  if (readsCookie) {
    code.push_back({BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_attach_cookie});
  } else {
    code.push_back(Move(BPF_REG_0, static_cast<int32_t>(kCookie)));
  }
  code.push_back({BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_VALUE, 0, mapFd});
  code.push_back({0, 0, 0, 0, 0});
  code.push_back({BPF_STX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_0, 0, 0});
  code.push_back(Move(BPF_REG_0, 0));
  code.push_back({BPF_JMP | BPF_EXIT, 0, 0, 0, 0});
  LIBBPF_OPTS(bpf_prog_load_opts, options);
  options.expected_attach_type = static_cast<bpf_attach_type>(attachType);
  return bpf_prog_load(BPF_PROG_TYPE_KPROBE, "probe", "GPL", code.data(), code.size(), &options);
}

int PerfUprobeType() {
  int type = -1;
  FILE* file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
  if (!file) return -1;
  if (fscanf(file, "%d", &type) != 1) type = -1;
  fclose(file);
  return type;
}

int OpenPerfUprobe(const Place& place) {
  int type = PerfUprobeType();
  if (type < 0) {
    errno = ENOENT;
    return -1;
  }
  perf_event_attr attr = {};
  attr.size = sizeof(attr);
  attr.type = static_cast<uint32_t>(type);
  attr.config1 = reinterpret_cast<uintptr_t>(place.path.c_str());
  attr.config2 = place.offset;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

Outcome HasFired(int mapFd, uint64_t wanted) {
  EbpfProbeTarget();
  uint32_t key = 0;
  uint64_t seen = 0;
  if (bpf_map_lookup_elem(mapFd, &key, &seen)) return {errno, "read the map"};
  return seen == wanted ? kWorks : Outcome{EIO, "run the program by calling the function"};
}

Outcome TryUprobe(bool withCookie) {
  Fd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "probe", 4, 8, 1, nullptr));
  if (!map.ok()) return {errno, "create a map"};
  Fd program(LoadStore(map.get(), withCookie, 0));
  if (!program.ok()) return {errno, withCookie ? "load a program that reads its cookie" : "load a program"};
  Place place = PlaceOf(reinterpret_cast<const void*>(&EbpfProbeTarget));
  Fd event(OpenPerfUprobe(place));
  if (!event.ok()) return {errno, "open a perf event for a uprobe"};
  if (!withCookie) {
    if (ioctl(event.get(), PERF_EVENT_IOC_SET_BPF, program.get())) return {errno, "attach the program to a perf event"};
    if (ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0)) return {errno, "enable a perf event"};
    return HasFired(map.get(), static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(kCookie))));
  }
  LIBBPF_OPTS(bpf_link_create_opts, options);
  options.perf_event.bpf_cookie = kCookie;
  Fd link(bpf_link_create(program.get(), event.get(), BPF_PERF_EVENT, &options));
  if (!link.ok()) return {errno, "link the program to a perf event"};
  return HasFired(map.get(), kCookie);
}

Outcome TryUprobeMulti() {
  Fd map(bpf_map_create(BPF_MAP_TYPE_ARRAY, "probe", 4, 8, 1, nullptr));
  if (!map.ok()) return {errno, "create a map"};
  Fd program(LoadStore(map.get(), true, sys::kAttachUprobeMulti));
  if (!program.ok()) return {errno, "load a program"};
  Place place = PlaceOf(reinterpret_cast<const void*>(&EbpfProbeTarget));
  const uint64_t cookie = kCookie;
  sys::UprobeMultiAttr attr = {};
  attr.programFd = static_cast<uint32_t>(program.get());
  attr.attachType = sys::kAttachUprobeMulti;
  attr.path = reinterpret_cast<uintptr_t>(place.path.c_str());
  attr.offsets = reinterpret_cast<uintptr_t>(&place.offset);
  attr.cookies = reinterpret_cast<uintptr_t>(&cookie);
  attr.count = 1;
  attr.pid = static_cast<uint32_t>(getpid());
  Fd link(sys::LinkUprobeMulti(attr));
  if (!link.ok()) return {errno, "create a multi-uprobe link (kernel 6.6 or later)"};
  return HasFired(map.get(), kCookie);
}

Outcome TryRingBuffer() {
  Fd map(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "probe", 0, 0, static_cast<uint32_t>(sysconf(_SC_PAGESIZE)), nullptr));
  return map.ok() ? kWorks : Outcome{errno, "create a ring buffer (kernel 5.8 or later)"};
}

Outcome TryRawTracepoint() {
  const bpf_insn code[] = {Move(BPF_REG_0, 0), {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  Fd program(bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "probe", "GPL", code, 2, nullptr));
  if (!program.ok()) return {errno, "load a program"};
  Fd link(bpf_raw_tracepoint_open("sched_process_exit", program.get()));
  return link.ok() ? kWorks : Outcome{errno, "open raw tracepoint sched_process_exit"};
}

struct Feature {
  const char* name;
  Outcome (*attempt)();
};
const Feature kFeatures[] = {
    {"ringBuffer", TryRingBuffer},
    {"uprobe", [] { return TryUprobe(false); }},
    {"uprobeMulti", TryUprobeMulti},
    {"bpfCookie", [] { return TryUprobe(true); }},
    {"rawTracepoint", TryRawTracepoint},
};

// (name) -> undefined when the feature works, otherwise the failure
Napi::Value ProbeFeature(const Napi::CallbackInfo& info) {
  Args args(info, "features");
  std::string name = args.Text(0, "name");
  if (!args.ok()) return args.Failure();
  for (const Feature& feature : kFeatures) {
    if (name != feature.name) continue;
    Outcome outcome = feature.attempt();
    if (outcome.error) return args.Failure(outcome.error, std::string("cannot ") + outcome.step);
    return args.env().Undefined();
  }
  return args.Failure(EINVAL, "there is no feature '" + name + "'");
}

}  // namespace

void RegisterProbe(Napi::Env env, Napi::Object exports) {
  exports.Set("probeFeature", Napi::Function::New(env, ProbeFeature));
}

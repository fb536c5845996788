// Gives up rights in every thread of the process.
//
// On Linux user, groups, capabilities and no_new_privs belong to a thread. libc's setresuid hides that by having a signal
// handler run the call in each thread, but it offers nothing for capset, and without capset (between PR_SET_KEEPCAPS and
// the change of user, in the same thread) no capability survives the change. So this file does the same for the whole
// sequence, with the same signal: number 33, which glibc keeps for this use and lets no thread block. An ordinary signal
// would never reach threads that block all of them, and Node has one (its debugger's signal thread).
//
// The handler uses system calls and lock-free atomics only. Threads are asked one after the other; the list is read again
// until it holds no thread that has not answered, so one that was started meanwhile by a thread that had not been asked yet
// is found. Afterwards the caller compares /proc/self/task/*/status (privileges.ts).
//
// LIMITS: glibc only. Another thread must not call setuid & co. at the same time. io_uring worker threads run no handlers:
// they are reported as not answering.
#include <dirent.h>
#include <linux/capability.h>
#include <napi.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "args.h"

namespace {

constexpr int kSetxidSignal = 33;  // SIGSETXID of glibc (nptl)
constexpr std::chrono::seconds kThreadPatience{5};
constexpr std::chrono::microseconds kPollInterval{50};

struct Order {
  uid_t uid;
  gid_t gid;
  const gid_t* groups;
  size_t groupCount;
  __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3];
};

// The order that the handler carries out. Written before any signal is sent, constant until all have been answered.
Order order;
std::atomic<bool> has_answered;
std::atomic<int> answer_error;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free, "used in a signal handler");

__user_cap_header_struct CapHeader() { return {_LINUX_CAPABILITY_VERSION_3, 0}; }

// A thread started by one that has changed already needs no change, and would no longer have the right to it.
bool IsApplied() {
  __user_cap_header_struct header = CapHeader();
  __user_cap_data_struct now[_LINUX_CAPABILITY_U32S_3];
  uid_t real, effective, saved;
  if (syscall(SYS_getresuid, &real, &effective, &saved) || syscall(SYS_capget, &header, now)) return false;
  return real == order.uid && effective == order.uid && saved == order.uid &&
         memcmp(now, order.capabilities, sizeof(now)) == 0 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
}

// For the calling thread, by bare system calls (libc's wrappers would signal all threads). Returns 0 or an errno.
int Apply() {
  if (IsApplied()) return 0;
  __user_cap_header_struct header = CapHeader();
  if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0)) return errno;
  if (syscall(SYS_setgroups, order.groupCount, order.groups)) return errno;
  if (syscall(SYS_setresgid, order.gid, order.gid, order.gid)) return errno;
  if (syscall(SYS_setresuid, order.uid, order.uid, order.uid)) return errno;
  if (syscall(SYS_capset, &header, order.capabilities)) return errno;
  if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0)) return errno;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0;
}

void OnSignal(int, siginfo_t* info, void*) {
  if (info->si_code != SI_TKILL || info->si_pid != getpid()) return;
  const int before = errno;
  answer_error.store(Apply());
  has_answered.store(true);
  errno = before;
}

// The kernel's struct of rt_sigaction(2); libc's sigaction refuses signal 33.
struct KernelSigaction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void* restorer;
  uint64_t mask;
};

int ExchangeHandler(const KernelSigaction* now, KernelSigaction* before) {
  return syscall(SYS_rt_sigaction, kSetxidSignal, now, before, sizeof(uint64_t)) ? errno : 0;
}

std::vector<pid_t> ThreadIds() {
  std::vector<pid_t> ids;
  DIR* tasks = opendir("/proc/self/task");
  if (!tasks) return ids;
  while (const dirent* entry = readdir(tasks)) {
    if (pid_t id = static_cast<pid_t>(atoi(entry->d_name))) ids.push_back(id);
  }
  closedir(tasks);
  return ids;
}

// Returns 0 (also for a thread that has ended), ETIMEDOUT or the errno of the thread's own attempt.
int ApplyInThread(pid_t thread) {
  has_answered.store(false);
  answer_error.store(0);
  const auto deadline = std::chrono::steady_clock::now() + kThreadPatience;
  if (syscall(SYS_tgkill, getpid(), thread, kSetxidSignal)) return errno == ESRCH ? 0 : errno;
  while (!has_answered.load()) {
    if (syscall(SYS_tgkill, getpid(), thread, 0)) return 0;
    if (std::chrono::steady_clock::now() > deadline) return ETIMEDOUT;
    std::this_thread::sleep_for(kPollInterval);
  }
  return answer_error.load();
}

struct Refusal {
  int error = 0;
  pid_t thread = 0;
};

Refusal ApplyInOthers() {
  std::set<pid_t> done = {gettid()};
  for (bool isComplete = false; !isComplete;) {
    isComplete = true;
    for (pid_t thread : ThreadIds()) {
      if (!done.insert(thread).second) continue;
      isComplete = false;
      if (int error = ApplyInThread(thread)) return {error, thread};
    }
  }
  return {};
}

Refusal ApplyEverywhere() {
  KernelSigaction before = {};
  if (int error = ExchangeHandler(nullptr, &before)) return {error, 0};
  // glibc installs its handler with the first thread, and brings the restorer that x86-64 needs.
  if (!before.handler) return {ENOTSUP, 0};
  KernelSigaction mine = before;
  mine.handler = OnSignal;
  if (int error = ExchangeHandler(&mine, nullptr)) return {error, 0};
  if (int error = Apply()) {
    ExchangeHandler(&before, nullptr);
    return {error, gettid()};
  }
  Refusal refusal = ApplyInOthers();
  // After a refusal a late signal may still come, and glibc's handler would crash on it: then ours stays.
  if (!refusal.error) refusal.error = ExchangeHandler(&before, nullptr);
  return refusal;
}

// Null when every step of Apply will be allowed, so that nothing is left half done.
const char* WhyNotAllowed(uint64_t keep) {
  __user_cap_header_struct header = CapHeader();
  __user_cap_data_struct now[_LINUX_CAPABILITY_U32S_3];
  if (syscall(SYS_capget, &header, now)) return "capget failed";
  const uint64_t permitted = now[0].permitted | uint64_t{now[1].permitted} << 32;
  const uint64_t effective = now[0].effective | uint64_t{now[1].effective} << 32;
  if (keep & ~permitted) return "a capability to keep is not permitted to this process";
  const uint64_t needed = uint64_t{1} << CAP_SETUID | uint64_t{1} << CAP_SETGID;
  return (effective & needed) == needed ? nullptr : "CAP_SETUID and CAP_SETGID are needed";
}

// (uid, gid, groups, keep: bit set of capabilities)
Napi::Value DropPrivileges(const Napi::CallbackInfo& info) {
  static std::mutex one_at_a_time;
  Args args(info, "dropPrivileges");
  uint32_t uid = args.Unsigned32(0, "uid");
  uint32_t gid = args.Unsigned32(1, "gid");
  std::vector<uint32_t> groups = args.Unsigned32List(2, "groups");
  uint64_t keep = args.Unsigned(3, "keep");
  if (!args.ok()) return args.Failure();
  if (const char* why = WhyNotAllowed(keep)) return args.Failure(EPERM, why);

  std::lock_guard<std::mutex> lock(one_at_a_time);
  order = {uid, gid, groups.data(), groups.size(), {}};
  for (int half = 0; half < 2; half++) {
    const auto bits = static_cast<uint32_t>(keep >> (32 * half));
    order.capabilities[half] = {bits, bits, 0};
  }
  Refusal refusal = ApplyEverywhere();
  if (refusal.error) return args.Failure(refusal.error, "thread " + std::to_string(refusal.thread) + " did not change");
  // The change of user cleared it; said again for machines where fs.suid_dumpable differs. It keeps the user's other
  // processes from tracing this one, which has more rights than they have.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return args.env().Undefined();
}

}  // namespace

void RegisterPrivileges(Napi::Env env, Napi::Object exports) {
  exports.Set("dropPrivileges", Napi::Function::New(env, DropPrivileges));
}

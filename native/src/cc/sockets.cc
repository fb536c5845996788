// Closes TCP sockets of other processes from outside: NETLINK_SOCK_DIAG with SOCK_DESTROY (sock_diag(7), Linux 4.5 or later
// with CONFIG_INET_DIAG_DESTROY). Sockets are named by inode, and closed by the kernel's cookie for it, so that one whose
// addresses have been taken by another in between is never hit.
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "args.h"

void RegisterSockets(Napi::Env env, Napi::Object exports);

namespace {

// The kernel fills at most this much per answer of a dump (NLMSG_GOODSIZE is smaller on every architecture).
constexpr size_t kAnswerBytes = 64 * 1024;
constexpr timeval kPatience = {2, 0};

struct Fd {
  int fd = -1;
  explicit Fd(int value) : fd(value) {}
  Fd(const Fd&) = delete;
  ~Fd() {
    if (fd >= 0) close(fd);
  }
};

struct Request {
  nlmsghdr head;
  inet_diag_req_v2 body;
};

Request RequestOf(uint16_t type, uint16_t flags, uint8_t family) {
  Request request = {};
  request.head.nlmsg_len = sizeof(request);
  request.head.nlmsg_type = type;
  request.head.nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
  request.body.sdiag_family = family;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = 1u << TCP_ESTABLISHED;
  return request;
}

int OpenDiag() { return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG); }

// A socket belongs to the network namespace in which it was opened, wherever its thread is later.
int OpenDiagIn(const std::string& path) {
  if (path.empty()) return OpenDiag();
  Fd own(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  Fd other(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (own.fd < 0 || other.fd < 0 || setns(other.fd, CLONE_NEWNET)) return -1;
  const int diag = OpenDiag();
  const int error = errno;
  if (setns(own.fd, CLONE_NEWNET)) abort();  // this thread must not go on in a stranger's network
  errno = error;
  return diag;
}

// Calls `see` for every message of the answer; ends at NLMSG_DONE or NLMSG_ERROR. Returns 0 or an errno.
template <class See>
int Answer(int diag, See see) {
  alignas(nlmsghdr) static thread_local char buffer[kAnswerBytes];
  for (;;) {
    const ssize_t got = recv(diag, buffer, sizeof(buffer), 0);
    if (got <= 0) return got < 0 ? errno : EIO;
    auto left = static_cast<uint32_t>(got);
    for (auto* head = reinterpret_cast<nlmsghdr*>(buffer); NLMSG_OK(head, left); head = NLMSG_NEXT(head, left)) {
      if (head->nlmsg_type == NLMSG_DONE) return 0;
      if (head->nlmsg_type == NLMSG_ERROR) return -static_cast<nlmsgerr*>(NLMSG_DATA(head))->error;
      see(*head);
    }
  }
}

// Adds the connections of one family whose inode is wanted. Returns 0 or an errno.
int Find(int diag, uint8_t family, const std::set<uint32_t>& inodes, std::vector<inet_diag_msg>* found) {
  const Request request = RequestOf(SOCK_DIAG_BY_FAMILY, NLM_F_DUMP, family);
  if (send(diag, &request, sizeof(request), 0) < 0) return errno;
  return Answer(diag, [&](nlmsghdr& head) {
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY || head.nlmsg_len < NLMSG_LENGTH(sizeof(inet_diag_msg))) return;
    const auto* socket = static_cast<const inet_diag_msg*>(NLMSG_DATA(&head));
    if (inodes.count(socket->idiag_inode)) found->push_back(*socket);
  });
}

int Destroy(int diag, const inet_diag_msg& socket) {
  Request request = RequestOf(SOCK_DESTROY, NLM_F_ACK, socket.idiag_family);
  request.body.id = socket.id;
  if (send(diag, &request, sizeof(request), 0) < 0) return errno;
  return Answer(diag, [](nlmsghdr&) {});
}

// (inodes, path of a network namespace or empty) → number of connections closed
Napi::Value DestroySockets(const Napi::CallbackInfo& info) {
  Args args(info, "destroySockets");
  const std::vector<uint32_t> list = args.Unsigned32List(0, "inodes");
  const std::string path = args.Text(1, "namespacePath");
  if (!args.ok()) return args.Failure();
  Fd diag(OpenDiagIn(path));
  if (diag.fd < 0) return args.Failure(errno, "cannot open sock_diag" + (path.empty() ? "" : " in " + path));
  setsockopt(diag.fd, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof(kPatience));

  const std::set<uint32_t> inodes(list.begin(), list.end());
  std::vector<inet_diag_msg> found;
  for (uint8_t family : {AF_INET, AF_INET6}) {
    const int error = Find(diag.fd, family, inodes, &found);
    if (error && error != ENOENT) return args.Failure(error, "cannot list TCP sockets");
  }
  uint32_t destroyed = 0;
  for (const inet_diag_msg& socket : found) {
    const int error = Destroy(diag.fd, socket);
    if (!error) destroyed++;
    // ENOENT: it was closed meanwhile.
    else if (error != ENOENT) return args.Failure(error, "cannot close a socket");
  }
  return Napi::Number::New(args.env(), destroyed);
}

}  // namespace

void RegisterSockets(Napi::Env env, Napi::Object exports) {
  exports.Set("destroySockets", Napi::Function::New(env, DestroySockets));
}

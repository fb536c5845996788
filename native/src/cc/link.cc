#include "link.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "args.h"
#include "log.h"

void Link::Close() {
  LogCapture quiet;
  if (raw_) bpf_link__destroy(raw_);
  if (fd_ >= 0) close(fd_);
  raw_ = nullptr;
  fd_ = -1;
}

namespace {

// Threads only sleep in the kernel here; the bound keeps their stacks from adding up.
constexpr size_t kMostThreads = 64;

void CloseAll(std::vector<Link> links) {
  std::vector<std::thread> threads;
  const size_t count = std::min(links.size(), kMostThreads);
  for (size_t first = 0; first < count; first++) {
    threads.emplace_back([&links, first, count] {
      for (size_t i = first; i < links.size(); i += count) links[i].Close();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Takes the attachments out of their handles, on the JavaScript thread: nobody else can reach them from then on.
std::vector<Link> TakeLinks(Args& args, const Napi::Value& list) {
  std::vector<Link> taken;
  for (const auto& link : args.Handles<Link>(list, "links")) taken.push_back(std::move(*link));
  return taken;
}

// (links: handle[]) -> when all are detached
Napi::Value CloseLinks(const Napi::CallbackInfo& info) {
  Args args(info, "link.close");
  std::vector<Link> links = TakeLinks(args, info[0]);
  if (!args.ok()) return args.Failure();
  CloseAll(std::move(links));
  return args.env().Undefined();
}

class CloseWorker : public Napi::AsyncWorker {
 public:
  CloseWorker(const Napi::Function& done, std::vector<Link> links) : AsyncWorker(done), links_(std::move(links)) {}
  void Execute() override { CloseAll(std::move(links_)); }

 private:
  std::vector<Link> links_;
};

// (links: handle[], done): the same without holding up the event loop.
Napi::Value CloseLinksAsync(const Napi::CallbackInfo& info) {
  Args args(info, "link.close");
  Napi::Function done = args.Callback(1, "done");
  std::vector<Link> links = TakeLinks(args, info[0]);
  if (!args.ok()) return args.Failure();
  // Deletes itself when it is done.
  (new CloseWorker(done, std::move(links)))->Queue();
  return args.env().Undefined();
}

}  // namespace

void RegisterLink(Napi::Env env, Napi::Object exports) {
  exports.Set("linksClose", Napi::Function::New(env, CloseLinks));
  exports.Set("linksCloseAsync", Napi::Function::New(env, CloseLinksAsync));
}

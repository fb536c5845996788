#include "log.h"

#include <bpf/libbpf.h>

#include <cstdio>
#include <vector>

namespace {
thread_local LogCapture* open_capture = nullptr;

int OnPrint(enum libbpf_print_level level, const char* format, va_list arguments);
}  // namespace

int Print(LogCapture* capture, const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(nullptr, 0, format, arguments);
  if (length > 0) {
    std::vector<char> line(static_cast<size_t>(length) + 1);
    vsnprintf(line.data(), line.size(), format, again);
    capture->text_.append(line.data(), static_cast<size_t>(length));
  }
  va_end(again);
  return length;
}

namespace {
int OnPrint(enum libbpf_print_level level, const char* format, va_list arguments) {
  if (level != LIBBPF_WARN || !open_capture) return 0;
  return Print(open_capture, format, arguments);
}
}  // namespace

LogCapture::LogCapture() : outer_(open_capture) { open_capture = this; }

LogCapture::~LogCapture() { open_capture = outer_; }

std::string LogCapture::LastLine() const {
  size_t end = text_.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  size_t newline = text_.rfind('\n', end);
  size_t begin = newline == std::string::npos ? 0 : newline + 1;
  std::string line = text_.substr(begin, end - begin + 1);
  const std::string prefix = "libbpf: ";
  return line.compare(0, prefix.size(), prefix) == 0 ? line.substr(prefix.size()) : line;
}

void LogCapture::Install() { libbpf_set_print(OnPrint); }

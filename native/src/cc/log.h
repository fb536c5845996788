// Catches what libbpf would print to stderr. libbpf has one print function per process; the text goes to the LogCapture
// that is open on the calling thread, so that workers do not see each other's lines. Without one, the text is dropped.
#pragma once

#include <cstdarg>
#include <string>

class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  const std::string& text() const { return text_; }
  // The last line without libbpf's prefix: what a person should read first.
  std::string LastLine() const;

  // Called once, before anything else of libbpf.
  static void Install();

 private:
  friend int Print(LogCapture* capture, const char* format, va_list arguments);
  std::string text_;
  LogCapture* outer_;
};

// What Debian's libstdc++ and libgcc_s ask of the C library and musl 1.2.3 does not have: with this beside them a C++ program
// made for musl runs on Debian, whose `musl` package brings the C library and its loader only.
#include <stddef.h>
#include <stdint.h>

struct tm;
size_t strftime_l(char *, size_t, const char *, const struct tm *, void *);
long getrandom(void *, size_t, unsigned);

size_t __strftime_l(char *text, size_t room, const char *format, const struct tm *time, void *locale) {
  return strftime_l(text, room, format, time, locale);
}

uint32_t arc4random(void) {
  uint32_t value = 0;
  getrandom(&value, sizeof value, 0);
  return value;
}

// Destructors of thread-local objects do not run.
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library) {
  (void)destroy, (void)object, (void)library;
  return 0;
}

// C++ exceptions find no frame: the program must live without.
int _dl_find_object(void *address, void *result) {
  (void)address, (void)result;
  return -1;
}

char __libc_single_threaded = 0;

struct {
  unsigned vendor, type, subtype, features[4];
} __cpu_model;

int __cpu_indicator_init(void) { return 0; }

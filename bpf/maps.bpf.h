/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * All maps and all settings. Keys and values that user space touches are in tables.h; what stays in the kernel is here.
 * Every table is bounded; what happens when one is full is said at each. Sizes may be changed by user space before load.
 */
#ifndef TRACER_MAPS_BPF_H
#define TRACER_MAPS_BPF_H

/* ---- settings, written by user space between open and load; by unit tests at any time ---- */

#ifdef TRACER_SHIM
#define SETTING static
#else
#define SETTING const volatile
#endif

/* Thread group id of the tracer itself: never traced, not even as a descendant of a target. */
const volatile __u32 tracer_tgid = 0;
/* 1 where bpf_get_attach_cookie exists (kernel >= 5.15). With 0 the verifier never sees that call; hook ids are 0 then. */
const volatile __u32 have_cookie = 1;
/* The consumer is woken each time the fill of the ring passes a multiple of 2^wake_shift bytes; else it polls. */
const volatile __u32 wake_shift = 20;

/* 1: find the socket of each connection (peer.bpf.h). With 0 the verifier never sees the code that serves it. */
SETTING __u32 want_peer = 0;

/* Last generation given out. Only ever added to, so a later use of an address always gets a greater one. */
__u32 last_generation = 0;

/* ---- the ring: records to user space; when full, the record is dropped and counted. Power of two, of pages. ---- */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 * 1024 * 1024);
} ring SEC(".maps");

/* ---- one slot array per CPU, see counters.def; key 0 ---- */

enum tr_counter {
#define X(id, name, kind, meaning) COUNTER_##name = id,
#include "counters.def"
#undef X
};

#define COUNTER_SLOTS 64

struct tr_counters {
	__u64 slot[COUNTER_SLOTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct tr_counters);
} counters SEC(".maps");

/* ---- traced processes, by thread group id. Full: the child is not traced, counted. ---- */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct tr_process);
} processes SEC(".maps");

/*
 * ---- connections. Made at first use, removed when the TLS object is freed. Full: the one idle for longest goes, since
 * libraries without a hooked `free` would fill any table; should it speak again, it is a new generation. ----
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct tr_conn_key);
	__type(value, struct tr_conn);
} connections SEC(".maps");

/* ---- connections that user space does not want copied; bytes still count. Full: user space's insert fails, harmless. ---- */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct tr_conn_key);
	__type(value, struct tr_skip);
} skipped SEC(".maps");

/* ---- where libraries keep the facts of a connection, see tables.h. ---- */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, MAX_FACT_LAYOUTS);
	__type(key, __u32);
	__type(value, struct tr_fact_layout);
} fact_layouts SEC(".maps");

/* ---- calls in flight, by pid_tgid. Exists while a thread is inside a hooked call. Full: the call is lost, counted. ---- */

/*
 * Deepest useful nesting: TLS inside TLS, two hooked layers each (SSL_read, ssl_read_internal), is 4; 6 leaves room for a
 * callback that sends while receiving.
 */
#define MAX_DEPTH 6

/* A hooked call that has been entered and not yet left. */
struct tr_frame {
	__u64 sp;   /* user stack pointer at entry: identifies the call when it returns */
	__u64 ssl;
	__u64 buf;  /* the buffer; for a span role, the address of the {pointer, length} pair */
	__u64 len;  /* bytes asked for */
	__u64 done; /* address of the size_t that receives the count */
	__u32 hook;
	__u8 role;
	__u8 dir;
	__u8 nested;      /* 1 when an outer frame reports the same bytes */
	__u8 inner_moved; /* 1 when a nested call has returned with bytes: this call is about to return */
};

/* The transfer being emitted: what all chunks of one call have in common, and how far it got. */
struct tr_job {
	__u64 ts_ns, start_ns, ssl, offset, call_bytes;
	__u64 buf;
	__u64 done_bytes;  /* emitted or lost */
	__u64 limit_bytes; /* where to stop: call_bytes or MAX_CALL_BYTES */
	__u32 pid, tid, generation, hook;
	__u32 dir;
	__u32 zero;
};

struct tr_thread {
	__u64 depth;
	struct tr_frame frames[MAX_DEPTH];
	struct tr_job job;
};

/*
 * ---- bytes that a thread has given to a connection since its last send, to know the socket by the length of the next one.
 * By pid_tgid; only for connections whose socket is not known yet. Full: the oldest goes, its socket is found later. ----
 */
struct tr_sends {
	__u64 ssl;
	__u64 bytes;   /* plaintext */
	__u64 records; /* TLS records that it makes */
	__u32 generation;
	__u32 is_first; /* 1: nothing was sent before, so the end of the handshake may go out with it */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, struct tr_sends);
} sends_after SEC(".maps");

#ifdef TRACER_NO_PROC
#define THREADS_TYPE BPF_MAP_TYPE_LRU_HASH /* nothing tells when a thread dies inside a call: old ones make room */
#else
#define THREADS_TYPE BPF_MAP_TYPE_HASH
#endif

struct {
	__uint(type, THREADS_TYPE);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct tr_thread);
} threads SEC(".maps");

#endif

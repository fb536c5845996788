/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The record: what the kernel side puts into the ring buffer. A fixed header, then len_bytes of payload.
 * This file is THE layout: BPF programs, the C unit tests and scripts/gen-layout.mjs (which writes
 * src/record/layout.gen.ts) all read it. Little-endian, no padding holes, payload last.
 *
 * Rule of offsets: `offset` counts the plaintext bytes of one direction of one connection since the connection's
 * generation was first seen. It advances by every byte that the library reported as transferred, captured or not.
 * So for two consecutive DATA records a, b of a direction, b.offset - (a.offset + a.len_bytes) is exactly what was lost
 * between them, and CLOSE carries both final offsets, which reveals a loss at the tail.
 */
#ifndef TRACER_EVENT_H
#define TRACER_EVENT_H

#ifndef TRACER_TYPES_FROM_VMLINUX
#include <linux/types.h>
#endif

enum record_kind {
	RECORD_DATA = 1,  /* plaintext of one chunk of one call; dir, offset; aux = bytes that the whole call transferred */
	RECORD_CLOSE = 2, /* the TLS object was freed; offset = final out offset, aux = final in offset */
	RECORD_SNI = 3,   /* payload = host name given to the library, no NUL */
	RECORD_FORK = 4,  /* pid = parent; aux = child pid; start_ns = the child's */
	RECORD_EXEC = 5,  /* payload = file name as given to exec, no NUL */
	RECORD_EXIT = 6,  /* last thread of the process has gone; aux = exit code as in wait(2) */
};

enum record_dir {
	DIR_OUT = 0, /* the traced process sent it */
	DIR_IN = 1,  /* the traced process received it */
};

enum record_flags {
	FLAG_CALL_END = 1, /* last chunk that this call will emit */
	FLAG_CUT = 2,      /* the call transferred more than MAX_CALL_BYTES: the bytes behind this chunk are lost (counted) */
};

#define MAX_CHUNK_BYTES 16384u            /* one TLS record's plaintext (RFC 8446 5.1) */
#define MAX_CALL_BYTES (8u * 1024 * 1024) /* bound of one call; what is over it is counted in LOSS_CALL_TOO_LONG */

struct tr_record {
	__u64 ts_ns;      /* CLOCK_MONOTONIC, when the call returned */
	__u64 start_ns;   /* start of the process, CLOCK_MONOTONIC: with pid, the identity of a process */
	__u64 ssl;        /* address of the TLS object in the target, 0 in process records */
	__u64 offset;     /* see the rule above */
	__u64 aux;        /* by kind */
	__u32 pid;        /* thread group id, initial pid namespace */
	__u32 tid;
	__u32 generation; /* how often this ssl address has been used by this process before, from 0 */
	__u32 len_bytes;  /* payload behind this header */
	__u32 hook;       /* id of the attachment that fired (from the cookie), 0 in process records */
	__u16 kind;
	__u8 dir;
	__u8 flags;
};

_Static_assert(sizeof(struct tr_record) == 64, "record header is 64 bytes without holes");

#endif

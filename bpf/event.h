/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The record: what the kernel side puts into the ring buffer. A fixed header, then len_bytes of payload.
 * This file is THE layout: BPF programs, the C unit tests and scripts/gen-layout.mjs (which writes
 * src/record/layout.gen.ts) all read it. Little-endian, no padding holes, payload last.
 *
 * The ring reserves in size classes, so a ring entry may be longer than header + len_bytes: the rest is old memory of
 * the ring and must not be read.
 *
 * Rule of offsets: `offset` counts the plaintext bytes of one direction of one connection since the connection's
 * generation was first seen. It advances by every byte that the library reported as transferred, captured or not.
 * So for two consecutive DATA records a, b of a direction, b.offset - (a.offset + a.len_bytes) is exactly what was lost
 * between them, and CLOSE carries both final offsets, which reveals a loss at the tail.
 */
#ifndef TRACER_EVENT_H
#define TRACER_EVENT_H

#include <linux/types.h>

enum record_kind {
	RECORD_DATA = 1,  /* plaintext of one chunk of one call; dir, offset; aux = bytes that the whole call transferred */
	RECORD_CLOSE = 2, /* end of this generation (TLS object freed, or FLAG_BROKEN); offset = final out, aux = final in */
	RECORD_SNI = 3,   /* payload = host name given to the library, no NUL */
	RECORD_FORK = 4,  /* pid = parent; aux = child pid; start_ns = the child's */
	RECORD_EXEC = 5,  /* payload = file name as given to exec, no NUL */
	RECORD_EXIT = 6,  /* last thread of the process has gone; aux = exit code as in wait(2) */
	RECORD_PEER = 7,  /* payload = struct tr_peer: the socket of this generation; aux = enum peer_evidence */
	RECORD_FACTS = 8, /* payload = struct tr_facts, then alpn_bytes of text: what was negotiated; aux = enum facts_evidence */
};

/* How it is known where the facts of a TLS object are. */
enum facts_evidence {
	FACTS_BY_GETTERS = 1, /* from the code of the library's functions that tell them */
	FACTS_BY_CIPHER_STATE = 2, /* the cipher suite alone, by what the record layer decrypts with */
};

/* How the socket of a connection was found. */
enum peer_evidence {
	PEER_SENT_INSIDE = 1, /* sent inside the library's call, with the length that TLS makes of the call's bytes */
	PEER_SENT_AFTER = 2,  /* the thread's next send after the calls, with the length that TLS makes of their bytes */
};

enum peer_family {
	FAMILY_IPV4 = 1, /* the address is in the first four bytes */
	FAMILY_IPV6 = 2,
};

enum record_dir {
	DIR_OUT = 0, /* the traced process sent it */
	DIR_IN = 1,  /* the traced process received it */
};

enum record_flags {
	FLAG_CALL_END = 1, /* DATA: last chunk that this call will emit */
	FLAG_CUT = 2,      /* DATA: the call transferred more than MAX_CALL_BYTES, the rest is lost (counted); names: cut */
	FLAG_BROKEN = 4,   /* CLOSE: an unknown number of bytes was missed, the TLS object lives on as a new generation */
};

#define MAX_CHUNK_BYTES 16384   /* one TLS record's plaintext (RFC 8446 5.1) */
#define MAX_CALL_BYTES 8388608  /* bound of one call, 512 chunks; what is over it is counted as lost */
#define MAX_HOST_BYTES 256      /* a DNS name has at most 253 characters (RFC 1035 2.3.4) */
#define MAX_ALPN_BYTES 32       /* registered protocol names have at most 25 bytes; longer ones are not told */
#define MAX_FILE_BYTES 1024     /* file name of an EXEC record; longer ones are cut */

struct tr_record {
	__u64 ts_ns;      /* CLOCK_MONOTONIC, when the call returned */
	__u64 start_ns;   /* start of the process as its entry in `processes` says: with pid, the identity of a process */
	__u64 ssl;        /* address of the TLS object in the target, 0 in process records */
	__u64 offset;     /* see the rule above */
	__u64 aux;        /* by kind */
	__u32 pid;        /* thread group id, initial pid namespace */
	__u32 tid;
	__u32 generation; /* number of this use of the ssl address: grows from use to use, never repeats in a session, from 1 */
	__u32 len_bytes;  /* payload behind this header */
	__u32 hook;       /* id of the attachment that fired (low half of its cookie), 0 in process records */
	__u16 kind;       /* enum record_kind */
	__u8 dir;         /* enum record_dir */
	__u8 flags;       /* enum record_flags */
};

/* Addresses as on the wire: the first byte of an address is the first byte in memory. */
struct tr_peer {
	__u64 local_high;
	__u64 local_low;
	__u64 remote_high;
	__u64 remote_low;
	__u16 local_port;
	__u16 remote_port;
	__u32 family; /* enum peer_family */
};

/* As found in the library's memory: nothing is checked here. Zero where a pointer on the way was NULL. */
struct tr_facts {
	__u32 cipher;      /* 0x0300 and the cipher suite's number (RFC 8446 B.4) */
	__u16 version;     /* as on the wire: 0x0304 is TLS 1.3; 0: not known */
	__u16 alpn_bytes;  /* length of the application protocol's name behind this structure (RFC 7301) */
};

_Static_assert(sizeof(struct tr_facts) == 8, "no holes");
_Static_assert(sizeof(struct tr_peer) == 40, "no holes");
_Static_assert(sizeof(struct tr_record) == 64, "record header is 64 bytes without holes");

#endif

/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What user space shares with the kernel side besides the record: keys and values of the maps that it reads or writes,
 * and the attach cookie. scripts/gen-layout.mjs reads this file too. No padding holes; unused fields are zero.
 */
#ifndef TRACER_TABLES_H
#define TRACER_TABLES_H

#include <linux/types.h>

/* ---- map `processes`: __u32 tgid -> tr_process. User space inserts targets; fork adds children; exit removes. ---- */

enum process_flags {
	PROCESS_FOLLOW = 1, /* children are traced too, and inherit this flag */
	PROCESS_OWN_PROBES = 2, /* has probes of its own where COOKIE_YIELDS is set; children, which do not, do not inherit it */
};

struct tr_process {
	__u64 start_ns; /* whatever user space says for a target; CLOCK_MONOTONIC at fork for a child; goes into records */
	__u32 flags;    /* enum process_flags */
	__u32 execs;    /* how often it has replaced its program: addresses from before mean nothing after */
};

/* ---- map `connections`: tr_conn_key -> tr_conn. Kernel side writes; user space iterates, and deletes a dead pid's. ---- */

struct tr_conn_key {
	__u64 ssl; /* address of the TLS object */
	__u32 pid; /* thread group id */
	__u32 zero;
};

enum conn_flags {
	CONN_CLOSED = 1, /* freed, but the ring had no room for its CLOSE record: the offsets here are final */
	CONN_HAS_PEER = 2, /* its PEER record was emitted */
	CONN_OWNS_SOCKET = 4, /* the library was seen sending inside a call: what is sent after calls is not its */
};

struct tr_conn {
	__u64 start_ns;   /* of the process */
	__u64 out_bytes;  /* offset behind the last byte sent, lost ones included */
	__u64 in_bytes;   /* offset behind the last byte received, lost ones included */
	__u32 generation; /* as in the record */
	__u32 execs;      /* of the process, when first seen */
	__u32 flags;      /* enum conn_flags */
	__u32 facts_tries; /* how often its facts were looked for; FACTS_DONE: no more */
};

/*
 * A handshake has ended when bytes were received, but what it negotiated may be put in its place a little later (server in
 * TLS 1.3 with early data). Then the next received bytes are tried, so often.
 */
#define MAX_FACTS_TRIES 8
#define FACTS_DONE 255

/*
 * ---- map `skipped`: tr_conn_key -> tr_skip. User space writes: "do not copy this connection any more". ----
 * A map of its own, because user space can only write a whole value, and would undo offsets that advance meanwhile.
 */
struct tr_skip {
	__u32 generation; /* the order is for this generation only */
	__u32 zero;
};

/*
 * ---- map `fact_layouts`: index from the attach cookie -> tr_fact_layout. User space writes it before it attaches. ----
 * Each chain leads from the TLS object to a fact: at each offset but the last is the pointer to go on from.
 */
#define MAX_FACT_LAYOUTS 256 /* index 0 means none */
#define MAX_CHAIN 4

struct tr_fact_layout {
	__u64 version; /* four offsets of 16 bits, the first in the low bits; the fact has 16 bits */
	__u64 cipher;  /* the same; the fact has 32 bits */
	__u64 alpn;    /* leads to a pointer to the name */
	__u64 alpn_bytes; /* the fact has 32 bits: the name's length */
	__u8 version_steps; /* how many of the offsets count; 0: there is no such fact */
	__u8 cipher_steps;
	__u8 alpn_steps;
	__u8 alpn_bytes_steps;
	__u32 evidence; /* enum facts_evidence */
};

/*
 * ---- attach cookie, the same for the entry and the return probe of a hook ----
 *
 *    63      52 51   44 43  42  41   41 40   38 37   35 34   32 31       0
 *   | method   | facts | c | y | zero  | done   | len    | buf    | hook id |
 *
 * buf, len, done: argument positions (0 is the TLS object; positions 1 to 5), 0 = the role's default position.
 * facts: index in `fact_layouts`, 0 = the library's facts are not known or not wanted.
 * c (COOKIE_CHECK_METHOD): the first word of the TLS object must be an address with these low 12 bits (the method table,
 * whose place in its page survives ASLR); otherwise the event is not ours and is dropped and counted.
 * y (COOKIE_YIELDS): a probe for all processes in a file in which some have probes of their own (PROCESS_OWN_PROBES); it says
 * nothing in those, because a call that is seen twice would be told twice.
 */
#define COOKIE_BUF_SHIFT 32
#define COOKIE_LEN_SHIFT 35
#define COOKIE_DONE_SHIFT 38
#define COOKIE_YIELDS_SHIFT 42
#define COOKIE_CHECK_METHOD_SHIFT 43
#define COOKIE_FACTS_SHIFT 44
#define COOKIE_FACTS_MASK 255
#define COOKIE_METHOD_SHIFT 52
#define COOKIE_POSITION_MASK 7

_Static_assert(sizeof(struct tr_process) == 16, "no holes");
_Static_assert(sizeof(struct tr_conn_key) == 16, "no holes");
_Static_assert(sizeof(struct tr_conn) == 40, "no holes");
_Static_assert(sizeof(struct tr_fact_layout) == 40, "no holes");
_Static_assert(sizeof(struct tr_skip) == 8, "no holes");

#endif

/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the handshake of a connection negotiated: version, cipher suite, application protocol. Read from the library's memory
 * by chains of offsets that user space found out (tables.h), told once per generation.
 *
 * When the first bytes were *received*: only then the handshake is over in every case (a client may send early data before it
 * knows whether the server takes it). Whether what was read makes sense is for user space to decide.
 */
#ifndef TRACER_FACTS_BPF_H
#define TRACER_FACTS_BPF_H

/*
 * The address where a chain ends; 0 where a pointer on the way is NULL or memory cannot be read. A global function with scalar
 * arguments: the verifier looks at it once.
 */
__noinline __u64 end_of_chain(__u64 ssl, __u64 offsets, __u64 steps)
{
	__u64 at = ssl;

	for (__u32 i = 0; i < MAX_CHAIN && i < steps; i++) {
		__u64 place = at + (offsets & 0xffff);

		if (i + 1 == steps)
			return place;
		if (bpf_probe_read_user(&at, sizeof(at), (const void *)place) || !at)
			return 0;
		offsets >>= 16;
	}
	return 0;
}

static __always_inline int read_fact(__u64 ssl, __u64 offsets, __u8 steps, void *to, const __u32 size)
{
	__u64 place = end_of_chain(ssl, offsets, steps);

	return place && !bpf_probe_read_user(to, size, (const void *)place);
}

/* The name and its length; 0 when there is none. `to` has room for MAX_ALPN_BYTES. */
static __always_inline __u64 read_alpn(const struct tr_fact_layout *layout, __u64 ssl, void *to)
{
	__u64 name = 0, len;
	__u32 told = 0;

	if (!read_fact(ssl, layout->alpn, layout->alpn_steps, &name, sizeof(name)) || !name ||
	    !read_fact(ssl, layout->alpn_bytes, layout->alpn_bytes_steps, &told, sizeof(told)))
		return 0;
	len = told;
	FORGET(len);
	if (!len || len > MAX_ALPN_BYTES || bpf_probe_read_user(to, len, (const void *)name))
		return 0;
	return len;
}

/* Global as well, and so not once in each program. */
__noinline int tell_facts(__u64 pid_tgid, __u64 ssl, __u64 cookie)
{
	__u32 index = cookie >> COOKIE_FACTS_SHIFT & COOKIE_FACTS_MASK;
	struct tr_conn_key key = conn_key(pid_tgid, ssl);
	struct tr_conn *conn = bpf_map_lookup_elem(&connections, &key);
	struct tr_fact_layout *layout = bpf_map_lookup_elem(&fact_layouts, &index);
	struct tr_facts facts = {};
	struct tr_record *record;

	if (!conn || !layout)
		return 0;
	conn->facts_tries = conn->facts_tries + 1 < MAX_FACTS_TRIES ? conn->facts_tries + 1 : FACTS_DONE;
	if (!read_fact(ssl, layout->cipher, layout->cipher_steps, &facts.cipher, sizeof(facts.cipher)) || !facts.cipher)
		return 0;
	if (layout->version_steps &&
	    (!read_fact(ssl, layout->version, layout->version_steps, &facts.version, sizeof(facts.version)) || !facts.version))
		return 0;
	record = reserve_event(RECORD_FACTS, pid_tgid, conn->start_ns, sizeof(facts) + MAX_ALPN_BYTES);
	if (!record)
		return 0;
	conn->facts_tries = FACTS_DONE;
	facts.alpn_bytes = read_alpn(layout, ssl, (struct tr_facts *)(record + 1) + 1);
	*(struct tr_facts *)(record + 1) = facts;
	record->ssl = ssl;
	record->generation = conn->generation;
	record->hook = cookie;
	record->aux = layout->evidence;
	record->len_bytes = sizeof(facts) + facts.alpn_bytes;
	submit_event(record, sizeof(facts) + MAX_ALPN_BYTES);
	return 1;
}

#endif

/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Makes a plain program of tracer.bpf.c for unit tests without privilege: include this first, then the unit, with
 * -DTRACER_SHIM. Maps are association lists, the ring is an array of records, user memory is this program's own with
 * one forbidden range. The variables shim_* set what the "kernel" answers and hold what it saw.
 *
 * LIMITS: one thread, no verifier, no CO-RE: what the verifier accepts and what the kernel does is tested live.
 */
#ifndef TRACER_SHIM_H
#define TRACER_SHIM_H

#include <errno.h>
#include <linux/types.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEC(name)
#define __noinline __attribute__((noinline))
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define __uint(name, number) int (*name)[number]
#define __type(name, type) typeof(type) *name
#define __builtin_preserve_access_index(address) (address)
#define BPF_CORE_READ_2(object, field) ((object)->field)
#define BPF_CORE_READ_3(object, middle, field) ((object)->middle->field)
#define BPF_CORE_READ_PICK(a, b, c, name, ...) name
#define BPF_CORE_READ(...) BPF_CORE_READ_PICK(__VA_ARGS__, BPF_CORE_READ_3, BPF_CORE_READ_2, 0)(__VA_ARGS__)

enum { BPF_MAP_TYPE_HASH = 1, BPF_MAP_TYPE_ARRAY = 2, BPF_MAP_TYPE_PERCPU_ARRAY = 6, BPF_MAP_TYPE_LRU_HASH = 9, BPF_MAP_TYPE_RINGBUF = 27 };
enum { BPF_ANY, BPF_NOEXIST, BPF_EXIST };
enum { BPF_RB_NO_WAKEUP = 1, BPF_RB_FORCE_WAKEUP = 2, BPF_RB_AVAIL_DATA = 0, BPF_RINGBUF_HDR_SZ = 8 };

struct bpf_raw_tracepoint_args {
	__u64 args[3];
};

/* ---- what the kernel answers ---- */
static __u64 shim_pid_tgid, shim_cookie, shim_now_ns = 1;
static const char *shim_bad_from, *shim_bad_to; /* user memory that faults */
static unsigned shim_ring_free = 1u << 30;       /* bytes that can still be reserved */
static int shim_refuse_updates;                  /* inserts fail, as on a full table */

/* ---- what it saw ---- */
static char *shim_records[4096];
static int shim_record_count, shim_wakeups, shim_discards, shim_open_records;
static __u64 shim_fill_bytes;

/* ---- maps: a list per map address ---- */
struct shim_entry {
	const void *map;
	struct shim_entry *next;
	size_t key_size;
	char bytes[]; /* key, then value at the next multiple of 8 */
};
static struct shim_entry *shim_entries;

static inline char *shim_value(struct shim_entry *e) { return e->bytes + ((e->key_size + 7) & ~7ul); }

static inline struct shim_entry *shim_find(const void *map, const void *key, size_t key_size)
{
	struct shim_entry *e = shim_entries;

	while (e && (e->map != map || memcmp(e->bytes, key, key_size)))
		e = e->next;
	return e;
}

static inline int shim_update(const void *map, const void *key, size_t key_size, const void *value, size_t size, __u64 flags)
{
	struct shim_entry *e = shim_find(map, key, key_size);

	if (e && flags == BPF_NOEXIST)
		return -EEXIST;
	if (!e) {
		if (shim_refuse_updates)
			return -E2BIG;
		e = calloc(1, sizeof(*e) + key_size + 8 + size);
		e->map = map, e->key_size = key_size, e->next = shim_entries, shim_entries = e;
		memcpy(e->bytes, key, key_size);
	}
	memcpy(shim_value(e), value, size);
	return 0;
}

static inline void *shim_lookup(const void *map, const void *key, size_t key_size, size_t size, int is_array)
{
	struct shim_entry *e = shim_find(map, key, key_size);

	if (!e && is_array) { /* slots of an array always exist */
		char *zero = calloc(1, size);
		int refuse = shim_refuse_updates;

		shim_refuse_updates = 0;
		shim_update(map, key, key_size, zero, size, BPF_ANY);
		shim_refuse_updates = refuse;
		free(zero);
		e = shim_find(map, key, key_size);
	}
	return e ? shim_value(e) : NULL;
}

/* The memory stays: as in the kernel, a pointer got before the delete may still be read. */
static inline int shim_delete(const void *map, const void *key, size_t key_size)
{
	struct shim_entry **at = &shim_entries, *e = shim_find(map, key, key_size);

	if (!e)
		return -ENOENT;
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	return 0;
}

#define SHIM_MAP_TYPE(m) (sizeof(*(m)->type) / sizeof(int))
#define SHIM_IS_ARRAY(m) (SHIM_MAP_TYPE(m) == BPF_MAP_TYPE_ARRAY || SHIM_MAP_TYPE(m) == BPF_MAP_TYPE_PERCPU_ARRAY)
#define bpf_map_lookup_elem(m, k) ((typeof((m)->value))shim_lookup(m, k, sizeof(*(m)->key), sizeof(*(m)->value), SHIM_IS_ARRAY(m)))
#define bpf_map_update_elem(m, k, v, flags) shim_update(m, k, sizeof(*(m)->key), v, sizeof(*(m)->value), flags)
#define bpf_map_delete_elem(m, k) shim_delete(m, k, sizeof(*(m)->key))

/* ---- the ring ---- */
static inline void *shim_reserve(size_t size)
{
	if (size + BPF_RINGBUF_HDR_SZ > shim_ring_free)
		return NULL;
	shim_ring_free -= size + BPF_RINGBUF_HDR_SZ;
	shim_fill_bytes += size + BPF_RINGBUF_HDR_SZ;
	shim_open_records++;
	char *record = malloc(size);
	memset(record, 0xa5, size); /* old memory of the ring */
	return record;
}

static inline void shim_submit(void *record, __u64 flags)
{
	shim_open_records--;
	shim_records[shim_record_count++] = record;
	if (flags & BPF_RB_FORCE_WAKEUP)
		shim_wakeups++;
}

static inline void shim_discard(void *record)
{
	shim_open_records--;
	shim_discards++;
	free(record);
}

#define bpf_ringbuf_reserve(m, size, flags) shim_reserve(size)
#define bpf_ringbuf_submit(record, flags) shim_submit(record, flags)
#define bpf_ringbuf_discard(record, flags) shim_discard(record)
#define bpf_ringbuf_query(m, what) (shim_fill_bytes)

/* ---- memory and facts ---- */
static inline long shim_copy(void *to, size_t size, const void *from)
{
	const char *at = from;

	if ((uintptr_t)at < 4096 || (at < shim_bad_to && at + size > shim_bad_from))
		return -EFAULT;
	memcpy(to, from, size);
	return 0;
}

static inline long shim_copy_string(char *to, size_t size, const char *from)
{
	for (size_t i = 0; i < size; i++) {
		if (shim_copy(to + i, 1, from + i))
			return -EFAULT;
		if (!to[i])
			return (long)i + 1;
	}
	to[size - 1] = 0;
	return (long)size;
}

#define bpf_probe_read_user(to, size, from) shim_copy(to, size, from)
#define bpf_probe_read_user_str(to, size, from) shim_copy_string((char *)(to), size, from)
#define bpf_probe_read_kernel(to, size, from) shim_copy(to, size, from)
#define bpf_probe_read_kernel_str(to, size, from) shim_copy_string((char *)(to), size, from)
#define bpf_get_current_pid_tgid() (shim_pid_tgid)
#define bpf_get_attach_cookie(ctx) ((void)(ctx), shim_cookie)
#define bpf_ktime_get_ns() (shim_now_ns++)

#endif

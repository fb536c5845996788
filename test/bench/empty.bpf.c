/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Probes that do nothing but count that they fired: what any uprobe tool pays at the same places. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

/* Hits at entry (0) and at return (1). An array look-up is inlined: a few nanoseconds beside the microseconds of a trap. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, __u64);
} hits SEC(".maps");

static __always_inline int hit(__u32 which)
{
	__u64 *count = bpf_map_lookup_elem(&hits, &which);

	if (count)
		__sync_fetch_and_add(count, 1);
	return 0;
}

SEC("uprobe")
int empty_enter(void *ctx)
{
	return hit(0);
}

SEC("uretprobe")
int empty_exit(void *ctx)
{
	return hit(1);
}

char LICENSE[] SEC("license") = "GPL";

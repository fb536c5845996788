/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Probes that do nothing: what any uprobe tool pays at the same functions. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("uprobe")
int empty_enter(void *ctx)
{
	return 0;
}

SEC("uretprobe")
int empty_exit(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "GPL";

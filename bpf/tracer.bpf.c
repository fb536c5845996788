/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The one translation unit of the kernel side. -DTRACER_NO_PROC leaves out what needs kernel BTF; -DTRACER_SHIM (with
 * shim.h included first) makes a plain program of it for unit tests.
 */
#ifndef TRACER_SHIM
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#endif

#include "event.h"
#include "tables.h"
#include "regs.bpf.h"
#include "maps.bpf.h"
#include "emit.bpf.h"
#include "conn.bpf.h"
#include "calls.bpf.h"
#include "facts.bpf.h"
#include "tls.bpf.h"
#ifndef TRACER_NO_PROC
#include "proc.bpf.h"
#include "peer.bpf.h"
#endif

char LICENSE[] SEC("license") = "Dual BSD/GPL";

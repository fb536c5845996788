/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Registers of the target at a probe. The layouts are user ABI (asm/ptrace.h) and are written down here so that either
 * architecture can be compiled on either. Arguments by position, System V x86-64 and AAPCS64.
 */
#ifndef TRACER_REGS_BPF_H
#define TRACER_REGS_BPF_H

#include <linux/types.h>

#if defined(__TARGET_ARCH_x86)

struct tr_regs {
	__u64 r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
	__u64 orig_rax, rip, cs, eflags, rsp, ss;
};

#define REGS_ARG0(regs) ((regs)->rdi)
#define REGS_ARG1(regs) ((regs)->rsi)
#define REGS_ARG2(regs) ((regs)->rdx)
#define REGS_ARG3(regs) ((regs)->rcx)
#define REGS_ARG4(regs) ((regs)->r8)
#define REGS_ARG5(regs) ((regs)->r9)
#define REGS_RESULT(regs) ((regs)->rax)
#define REGS_SP_ENTRY(regs) ((regs)->rsp)
/* `ret` has popped the return address that was on the stack at entry. */
#define REGS_SP_RETURN(regs) ((regs)->rsp - 8)

#elif defined(__TARGET_ARCH_arm64)

struct tr_regs {
	__u64 x[31], sp, pc, pstate;
};

#define REGS_ARG0(regs) ((regs)->x[0])
#define REGS_ARG1(regs) ((regs)->x[1])
#define REGS_ARG2(regs) ((regs)->x[2])
#define REGS_ARG3(regs) ((regs)->x[3])
#define REGS_ARG4(regs) ((regs)->x[4])
#define REGS_ARG5(regs) ((regs)->x[5])
#define REGS_RESULT(regs) ((regs)->x[0])
#define REGS_SP_ENTRY(regs) ((regs)->sp)
#define REGS_SP_RETURN(regs) ((regs)->sp)

#else
#error "define __TARGET_ARCH_x86 or __TARGET_ARCH_arm64"
#endif

/*
 * Arguments 1 to 5, read at once from constant places: a read whose place depends on the position would be an access
 * through a modified context pointer, which the verifier refuses, and clang makes one out of any branch that reads.
 */
struct tr_args {
	__u64 at[6];
};

#define READ_ARG(args, regs, n)                        \
	do {                                           \
		__u64 value = REGS_ARG##n(regs);       \
		asm volatile("" : "+r"(value));        \
		(args)->at[n] = value;                 \
	} while (0)

static __always_inline void read_args(struct tr_args *args, const struct tr_regs *regs)
{
	READ_ARG(args, regs, 0);
	READ_ARG(args, regs, 1);
	READ_ARG(args, regs, 2);
	READ_ARG(args, regs, 3);
	READ_ARG(args, regs, 4);
	READ_ARG(args, regs, 5);
}

static __always_inline __u64 arg_at(const struct tr_args *args, __u64 position)
{
	switch (position) { /* not args->at[position]: kernels before 5.12 refuse a variable place on the stack */
	case 1: return args->at[1];
	case 2: return args->at[2];
	case 3: return args->at[3];
	case 4: return args->at[4];
	case 5: return args->at[5];
	default: return 0;
	}
}

#endif

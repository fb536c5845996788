// Names of Linux capabilities, in the order of their numbers (include/uapi/linux/capability.h): the index is the bit.

export const CAPABILITIES = [
  'CAP_CHOWN',
  'CAP_DAC_OVERRIDE',
  'CAP_DAC_READ_SEARCH',
  'CAP_FOWNER',
  'CAP_FSETID',
  'CAP_KILL',
  'CAP_SETGID',
  'CAP_SETUID',
  'CAP_SETPCAP',
  'CAP_LINUX_IMMUTABLE',
  'CAP_NET_BIND_SERVICE',
  'CAP_NET_BROADCAST',
  'CAP_NET_ADMIN',
  'CAP_NET_RAW',
  'CAP_IPC_LOCK',
  'CAP_IPC_OWNER',
  'CAP_SYS_MODULE',
  'CAP_SYS_RAWIO',
  'CAP_SYS_CHROOT',
  'CAP_SYS_PTRACE',
  'CAP_SYS_PACCT',
  'CAP_SYS_ADMIN',
  'CAP_SYS_BOOT',
  'CAP_SYS_NICE',
  'CAP_SYS_RESOURCE',
  'CAP_SYS_TIME',
  'CAP_SYS_TTY_CONFIG',
  'CAP_MKNOD',
  'CAP_LEASE',
  'CAP_AUDIT_WRITE',
  'CAP_AUDIT_CONTROL',
  'CAP_SETFCAP',
  'CAP_MAC_OVERRIDE',
  'CAP_MAC_ADMIN',
  'CAP_SYSLOG',
  'CAP_WAKE_ALARM',
  'CAP_BLOCK_SUSPEND',
  'CAP_AUDIT_READ',
  'CAP_PERFMON',
  'CAP_BPF',
  'CAP_CHECKPOINT_RESTORE',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

/** @throws RangeError for a name that is no capability. */
export const bitsOf = (names: readonly Capability[]): bigint => {
  let bits = 0n;
  for (const name of names) {
    const bit = CAPABILITIES.indexOf(name);
    if (bit < 0) throw new RangeError(`'${name}' is not a capability`);
    bits |= 1n << BigInt(bit);
  }
  return bits;
};

/** Bits that have no name here (a newer kernel's) are left out. */
export const namesOf = (bits: bigint): Capability[] =>
  CAPABILITIES.filter((_, bit) => (bits & (1n << BigInt(bit))) !== 0n);

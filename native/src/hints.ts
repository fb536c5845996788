// What to do about a failure, by errno and operation. First match wins, so the special rows stand before the general ones.
import type { Failure } from './failure.ts';

interface Hint {
  readonly code: string;
  /** Start of the operation it is for; '' = any. */
  readonly operation: string;
  readonly text: string;
}

const HINTS: readonly Hint[] = [
  {
    code: 'EACCES',
    operation: 'object.load',
    text: 'Read the verifier log in `log`: the program is refused, not the user.',
  },
  {
    code: 'EPERM',
    operation: 'object.load',
    text: 'Run as root or with CAP_BPF and CAP_PERFMON; before kernel 5.11 also raise RLIMIT_MEMLOCK.',
  },
  {
    code: 'EACCES',
    operation: 'program.attachUprobeMulti',
    text: 'Check that the file may be read, with CAP_SYS_PTRACE where it lies under /proc.',
  },
  {
    code: 'EACCES',
    operation: 'program.attachUprobe',
    text: 'Run with CAP_SYS_ADMIN, or use attachUprobeMulti (kernel 6.6 or later), which needs CAP_BPF and CAP_PERFMON only.',
  },
  {
    code: 'EINVAL',
    operation: 'program.attachUprobeMulti',
    text: 'Set the attach type of the program to ATTACH_TYPE.uprobeMulti before load, check the offsets, and use kernel 6.6 or later.',
  },
  {
    code: 'EINVAL',
    operation: 'program.attachUprobe',
    text: 'Check that the offset is a file offset inside the file and starts an instruction.',
  },
  {
    code: 'ENOENT',
    operation: 'program.attachTracepoint',
    text: 'Check the name, and mount tracefs at /sys/kernel/tracing.',
  },
  {
    code: 'ESRCH',
    operation: 'program.attach',
    text: 'Check that the process still runs, and that the symbol is in the file.',
  },
  {
    code: 'ENOENT',
    operation: 'program.attach',
    text: 'Check that the file, symbol or tracepoint exists under that name.',
  },
  { code: 'ENOENT', operation: 'object.variable', text: 'Compile the object with `clang -g`, which writes the BTF.' },
  { code: 'ENOENT', operation: 'object.open', text: 'Check the path of the object file.' },
  {
    code: 'E4001',
    operation: 'object.open',
    text: 'Compile the file with `clang -target bpf`: it is not a BPF object.',
  },
  { code: 'EBUSY', operation: 'object.', text: 'Do this between open and load.' },
  { code: 'EBADF', operation: '', text: 'Do this after load and before close.' },
  { code: 'E2BIG', operation: 'map.set', text: 'Raise maxEntries of the map before load.' },
  { code: 'EPERM', operation: '', text: 'Run as root or with CAP_BPF and CAP_PERFMON.' },
  { code: 'EACCES', operation: '', text: 'Run as root or with CAP_BPF and CAP_PERFMON.' },
  { code: 'ENOMEM', operation: '', text: 'Use smaller maps or a larger memory limit of the control group.' },
  { code: 'EOPNOTSUPP', operation: '', text: 'Use a newer kernel; features() tells what this one has.' },
];

/** The advice for this failure, or ''. */
export const hintFor = (failure: Failure): string =>
  HINTS.find((hint) => hint.code === failure.code && failure.operation.startsWith(hint.operation))?.text ?? '';

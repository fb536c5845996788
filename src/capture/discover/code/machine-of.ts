// The architecture of a program.

import type { ElfImage } from '../elf.ts';
import type { Machine } from './machine.ts';
import { machineA64 } from './machine-a64.ts';
import { machineX86 } from './machine-x86.ts';

export const machineOf = (elf: ElfImage): Machine => (elf.machine === 'x86_64' ? machineX86(elf) : machineA64(elf));

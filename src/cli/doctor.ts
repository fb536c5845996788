// `tracer doctor`: can this machine trace, and if not, what to do.

import type { Command } from 'commander';
import { type DoctorLine, examine, safeJson } from '../app/index.ts';
import { EXIT } from '../errors.ts';

const MARKS: Readonly<Record<DoctorLine['state'], string>> = { ok: 'ok     ', reduced: 'reduced', missing: 'MISSING' };

/** The lines as text, one or two each. */
export function formatDoctor(lines: readonly DoctorLine[]): string {
  const width = Math.max(...lines.map((line) => line.name.length));
  return lines
    .map(({ name, state, seen, remedy }) => {
      const line = `${MARKS[state]}  ${name.padEnd(width)}  ${seen}`;
      return remedy === undefined ? line : `${line}\n${' '.repeat(width + 11)}→ ${remedy}`;
    })
    .join('\n');
}

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check whether this machine can trace')
    .description(
      'Prints one line for each thing that tracing needs, with a remedy where it is missing. The same checks run when a capture starts.',
    )
    .option('--json', 'one JSON array instead of lines')
    .action((flags: { readonly json?: true }) => {
      const lines = examine();
      process.stdout.write(`${flags.json === true ? safeJson(lines) : formatDoctor(lines)}\n`);
      if (lines.some((line) => line.state === 'missing')) process.exitCode = EXIT.rights;
    });
}

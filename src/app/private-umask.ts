// Files that the tracer makes are for their owner alone, whatever the shell's mask was: 077 from the start on. A program that
// the tracer starts gets the mask that the tracer was started with.

const PRIVATE = 0o077;
let inherited: number | null = null;

/** Called once, before anything is written. */
export function makeFilesPrivate(): void {
  inherited ??= process.umask(PRIVATE);
}

/** The mask that the tracer was started with, as the shell's umask takes it. */
export const inheritedMask = (): string => (inherited ?? process.umask()).toString(8).padStart(4, '0');

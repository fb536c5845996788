// The two ambient APIs that the sans-IO rooms may use besides ES2023. Compiled with src/tsconfig.core.json, where no
// Node or DOM types exist, so that setTimeout, process, Buffer or console in a core room is a compile error.
interface TextDecoderOptions {
  fatal?: boolean;
  ignoreBOM?: boolean;
}
declare class TextDecoder {
  constructor(label?: string, options?: TextDecoderOptions);
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(input?: string): Uint8Array;
}

export interface Positive {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}
export interface Negative {
  readonly path: string;
  readonly text: string;
}
type Find = (text: string) => readonly { readonly kind: string; readonly offset: number; readonly length: number }[];
export function randomFrom(seed: number): () => number;
export function positives(seed?: number): Positive[];
export function negatives(folder: string, count?: number): Negative[];
export function measure(
  find: Find,
  secrets: readonly Positive[],
  codes: readonly Negative[],
): {
  secrets: number;
  codes: number;
  recall: number;
  precision: number;
  missed: Positive[];
  wrong: number;
  wrongInCode: { path: string; kind: string; text: string }[];
};

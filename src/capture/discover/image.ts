// One program file as the targets see it: headers, dynamic table and, made on first use, the text anchors.

import { type DynamicTable, readDynamic } from './dynamic.ts';
import { type ElfImage, parseElf } from './elf.ts';
import { Reader } from './reader.ts';
import type { ByteSource } from './source.ts';
import { type Anchors, findAnchors } from './strings.ts';

export interface ProgramImage {
  readonly elf: ElfImage;
  readonly dynamic: DynamicTable;
  readonly anchors: () => Anchors;
}

export type ImageAnswer =
  | { readonly ok: true; readonly image: ProgramImage }
  | { readonly ok: false; readonly why: string };

export function readImage(source: ByteSource): ImageAnswer {
  const answer = parseElf(new Reader(source));
  if (!answer.ok) return answer;
  let anchors: Anchors | undefined;
  const elf = answer.image;
  const image: ProgramImage = {
    elf,
    dynamic: readDynamic(elf),
    anchors: () => {
      anchors ??= findAnchors(elf);
      return anchors;
    },
  };
  return { ok: true, image };
}

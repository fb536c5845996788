// Colour by meaning. Few colours, all from the terminal's own palette, so that light and dark themes both work.

/** SGR codes (ECMA-48 §8.3.117). */
const SGR = { plain: '', dim: '2', bold: '1', good: '32', notice: '33', bad: '31', chat: '36', inline: '35' } as const;

export type Tone = keyof typeof SGR;
export type Paint = (text: string, tone: Tone) => string;

/** Paints, or leaves text as it is when the output must not be coloured. */
export const painter =
  (colour: boolean): Paint =>
  (text, tone) =>
    colour && tone !== 'plain' && text !== '' ? `\u001b[${SGR[tone]}m${text}\u001b[0m` : text;

// Door of the folder.
export { type FindAnswer, type FindSettings, find } from './find.ts';
export { type NeedleInput, readNeedle } from './needle-input.ts';

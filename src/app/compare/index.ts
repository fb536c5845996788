// Door of the folder.
export { type CompareAnswer, type CompareSettings, compare } from './compare.ts';

// Door of the folder.
export { type ContextAnswer, type ContextBy, type ContextSettings, context } from './context.ts';

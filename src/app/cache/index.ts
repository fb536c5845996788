// Door of the folder.
export { type CacheAnswer, type CacheSettings, cache } from './cache.ts';
export { readPriceFile } from './price-file.ts';

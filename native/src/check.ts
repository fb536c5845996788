// Checks of arguments that types alone cannot make. Each throws a sentence that names the argument.

/** Integers that JavaScript can hold exactly, or any unsigned 64-bit bigint. */
export const checkUnsigned = (name: string, value: number | bigint): void => {
  const fits = typeof value === 'bigint' ? value >= 0n && value < 1n << 64n : Number.isSafeInteger(value) && value >= 0;
  if (!fits) throw new RangeError(`${name} must be an integer from 0 to 2^64-1, a bigint above 2^53-1; it is ${value}`);
};

export const checkInteger = (name: string, value: number, min: number, max: number): void => {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} must be an integer from ${min} to ${max}; it is ${value}`);
  }
};

export const checkBytes = (name: string, value: unknown): void => {
  if (!(value instanceof Uint8Array)) throw new TypeError(`${name} must be a Uint8Array`);
};

export const checkText = (name: string, value: unknown): void => {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) {
    throw new TypeError(`${name} must be a non-empty string without NUL`);
  }
};

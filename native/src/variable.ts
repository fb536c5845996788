// Turns a value into the bytes of a global variable. BPF objects built here are little-endian (x86-64, arm64).

/** @throws RangeError when the value does not fit into `sizeBytes`. */
export const encodeVariable = (name: string, value: number | bigint | Uint8Array, sizeBytes: number): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`variable ${name} must be a safe integer, a bigint or bytes; it is ${value}`);
  }
  const bits = BigInt(sizeBytes * 8);
  const whole = BigInt(value);
  // Signed and unsigned readings are both welcome: the variable's sign is not known here.
  if (sizeBytes > 8 || whole < -(1n << (bits - 1n)) || whole >= 1n << bits) {
    throw new RangeError(`variable ${name} has ${sizeBytes} bytes; ${value} does not fit`);
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, whole), true);
  return bytes.subarray(0, sizeBytes);
};

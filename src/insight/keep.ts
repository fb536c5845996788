// A map that forgets: bounded memory for ids that are only asked for soon after they were met.

/** Sets the newest entry and lets the oldest go when there are more than `max`. */
export function keep<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

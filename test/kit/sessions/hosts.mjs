// Names of the hosts that a session talks to: the stand-in's certificate must have them.

/** @param {import('./build.mjs').Session['steps']} steps */
export const hostsOf = (steps) => [
  ...new Set(steps.map((step) => ('request' in step ? step.request.host.replace(/:\d+$/, '') : new URL(step.socket.url).hostname))),
];

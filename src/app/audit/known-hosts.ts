// The allow list of an audit: Copilot's and the editor's own hosts (the table of the copilot room), and what the user adds.

import { type HostRole, roleOfHost } from '../../copilot/index.ts';
import type { HostJudge } from '../../privacy/index.ts';

/** Who may be given a Copilot or GitHub token. Loopback: local servers of the editor, and what the user runs there. */
const TOKEN_ROLES: ReadonlySet<HostRole> = new Set([
  'capi',
  'proxy',
  'origin-tracker',
  'telemetry',
  'copilot',
  'dotcom',
  'login',
  'uploads',
  'collector',
  'loopback',
]);

/** `*.example.com` allows all hosts below it, anything else that host alone. */
function allows(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

export function createJudge(allowed: readonly string[]): HostJudge {
  const isAllowed = (host: string): boolean => allowed.some((pattern) => allows(pattern, host));
  return {
    isKnown: (host) => isAllowed(host) || roleOfHost(host) !== 'unknown',
    isTokenHost: (host) => isAllowed(host) || TOKEN_ROLES.has(roleOfHost(host)),
  };
}

import { describe, expect, it } from 'vitest';
import { roleOfHost, splitAuthority } from '../../src/copilot/hosts.ts';

describe('roles of hosts', () => {
  it.each([
    ['api.githubcopilot.com', 'capi'],
    ['api.individual.githubcopilot.com', 'capi'],
    ['proxy.business.githubcopilot.com', 'proxy'],
    ['origin-tracker.enterprise.githubcopilot.com', 'origin-tracker'],
    ['telemetry.business.githubcopilot.com', 'telemetry'],
    ['something.githubcopilot.com', 'copilot'],
    ['copilot-proxy.githubusercontent.com', 'proxy'],
    ['copilot-api.acme.ghe.com', 'capi'],
    ['copilot-proxy.acme.ghe.com', 'proxy'],
    ['copilot-telemetry-service.acme.ghe.com', 'telemetry'],
    ['api.acme.ghe.com', 'dotcom'],
    ['acme.ghe.com', 'login'],
    ['127.1.2.3', 'loopback'],
    ['[::1]', 'loopback'],
    ['evilgithubcopilot.com', 'unknown'],
    ['api.githubcopilot.com.example', 'unknown'],
    ['api.a.b.githubcopilot.com', 'copilot'],
    ['127.0.0.1.example', 'unknown'],
  ])('%s is %s', (host, role) => {
    expect(roleOfHost(host)).toBe(role);
  });

  it('knows no role without a host', () => {
    expect(roleOfHost(null)).toBe('unknown');
  });
});

it.each([
  ['Api.GitHub.com', { host: 'api.github.com', port: null }],
  ['localhost:11434', { host: 'localhost', port: 11434 }],
  ['[::1]:80', { host: '[::1]', port: 80 }],
  ['user@h.example:1', { host: 'h.example', port: 1 }],
  ['h.example.', { host: 'h.example', port: null }],
  ['a:b:c', { host: 'a:b:c', port: null }],
])('splits authority %s', (authority, parts) => {
  expect(splitAuthority(authority)).toEqual(parts);
});

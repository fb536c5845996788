// What a call does, whatever its texts say: where it goes, what credential goes along, where it is sent on to, whether its
// content may be kept. Hosts are judged by functions from outside: this room knows no service.

import { type CallEvent, headerValue, type Negotiated } from '../model/index.ts';
import { completedFile } from './call-texts.ts';

/** Who a host (lower case, no port) is allowed to be. */
export interface HostJudge {
  /** On the allow list: Copilot's, the editor's, or the user's own. */
  isKnown(host: string): boolean;
  /** May be given Copilot and GitHub tokens. */
  isTokenHost(host: string): boolean;
}

/** A finding about the call itself. `subject` is what repeats: two findings of one rule and subject are one. */
export interface Conduct {
  readonly rule: string;
  readonly subject: string;
  readonly where: string;
}

/** Host of an authority or URL, lower case, without port; null when it has none. */
export function hostOf(urlOrAuthority: string): string | null {
  const match = /^(?:(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/)?(?:[^/?#@]{0,512}@)?(\[[^\]]{1,64}\]|[^/?#:@\s]{1,255})/i.exec(
    urlOrAuthority,
  );
  return match?.[1]?.toLowerCase().replace(/\.$/, '') ?? null;
}

const TOKEN = /\btid=|\bgh[oupsr]_|github_pat_/;

function* hosts(call: CallEvent, judge: HostJudge): Generator<Conduct> {
  if (call.host === null || call.served === true) return;
  const host = hostOf(call.host) ?? call.host;
  if (!judge.isKnown(host)) yield { rule: 'foreign-host', subject: host, where: 'host' };
  if (judge.isTokenHost(host)) return;
  for (const [name, value] of call.request.headers) {
    if (TOKEN.test(value)) yield { rule: 'token-foreign-host', subject: `${host} ${name}`, where: `header ${name}` };
  }
}

/** RFC 9325 §3.1.1: versions; §4.1: no encryption, no authentication, RC4, less than 128 bits of security. */
const WEAK_VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);
const WEAK_CIPHER = /_NULL_|_anon_|_EXPORT_|_RC4_|_3?DES_/;

function* handshake({ host, served }: CallEvent, negotiated: Negotiated | undefined): Generator<Conduct> {
  if (negotiated === undefined || served === true) return;
  const { version, cipher } = negotiated;
  if (WEAK_VERSIONS.has(version) || WEAK_CIPHER.test(cipher))
    yield { rule: 'weak-tls', subject: `TLS ${version} ${cipher} to ${host ?? 'unknown'}`, where: 'handshake' };
}

function* redirects(call: CallEvent, judge: HostJudge): Generator<Conduct> {
  const location = headerValue(call.response.headers, 'location');
  if (call.status === null || call.status < 300 || call.status > 399 || location === undefined) return;
  const target = /^(?:[a-z][a-z0-9+.-]{0,20}:)?\/\//i.test(location) ? hostOf(location) : null;
  const from = call.host === null ? null : hostOf(call.host);
  if (target === null || target === from) return;
  const rule = judge.isKnown(target) ? 'redirect' : 'redirect-foreign';
  yield { rule, subject: `${from ?? 'unknown'} to ${target}`, where: 'header location' };
}

/** Flags of the wires by which a client allows a provider to keep what it was sent. */
function* retention({ llm, host, class: name }: CallEvent): Generator<Conduct> {
  if (llm?.request?.parameters['store'] === true)
    yield { rule: 'retention', subject: `${name} at ${host ?? 'unknown'}`, where: 'parameter store' };
}

const SECRETS_FILE =
  /(?:^|[/\\])(?:\.env(?:\.[\w.-]+)?|\.npmrc|\.netrc|\.pgpass|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|credentials|secrets?\.(?:ya?ml|json|toml)|[^/\\]+\.(?:pem|key|p12|pfx|jks|keystore|tfvars))$/i;
const NO_SECRETS_FILE = /\.(?:example|sample|template|dist)$/i;
const SECRETS_LANGUAGES = new Set(['dotenv']);

function* secretsFile({ llm, class: name }: CallEvent): Generator<Conduct> {
  if (llm?.request === undefined || !/^(?:completions\.|nes)/.test(name)) return;
  const { file = '', language = '' } = completedFile(llm.request);
  if ((SECRETS_FILE.test(file) && !NO_SECRETS_FILE.test(file)) || SECRETS_LANGUAGES.has(language))
    yield { rule: 'secrets-file', subject: file === '' ? language : file, where: 'file under the cursor' };
}

function* telemetry({ service, host }: CallEvent): Generator<Conduct> {
  if (service?.facts !== 'telemetry') return;
  for (const event of service.withText ?? [])
    yield { rule: 'telemetry-text', subject: `${event} to ${host ?? 'unknown'}`, where: `event ${event}` };
}

const MACHINE_FIELDS = ['vscode-machineid', 'editor-device-id', 'x-vscode-devdeviceid'];

/** Identifiers of the machine in header fields, by receiver. */
export function* machineFields(call: CallEvent): Generator<Conduct> {
  for (const name of MACHINE_FIELDS) {
    const value = headerValue(call.request.headers, name);
    if (value !== undefined && value !== '')
      yield { rule: 'personal-machine', subject: `${name} to ${call.host ?? 'unknown'}`, where: `header ${name}` };
  }
}

/** All that is worth a word about the way the call was made. `call` has its secrets in place; `negotiated` is what is known
 * of its connection. */
export function* conductOf(call: CallEvent, judge: HostJudge, negotiated: Negotiated | undefined): Generator<Conduct> {
  yield* hosts(call, judge);
  yield* handshake(call, negotiated);
  yield* redirects(call, judge);
  yield* telemetry(call);
  yield* retention(call);
  yield* secretsFile(call);
}

// A self-signed certificate made at start with node:crypto alone: X.509 v3 (RFC 5280), ECDSA P-256 with SHA-256, written as
// DER by hand because Node has no certificate builder. No private key is ever committed, and none outlives the service.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const BOOLEAN_TRUE = Buffer.from([0x01, 0x01, 0xff]);

/** @param {number} length */
const derLength = (length) => {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 | bytes.length, ...bytes]);
};

/** @param {number} tag @param {...Buffer} parts */
const tlv = (tag, ...parts) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), derLength(body.length), body]);
};

/** Object identifiers used here, already encoded (X.690 §8.19). */
const OID = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
};

/** @param {Date} date */
const utcTime = (date) => tlv(UTC_TIME, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

/** @param {string} text */
const commonName = (text) =>
  tlv(SEQUENCE, tlv(SET, tlv(SEQUENCE, OID.commonName, tlv(UTF8_STRING, Buffer.from(text)))));

/** @param {readonly string[]} hosts */
const extensions = (hosts) => {
  const names = hosts.map((host) => tlv(0x82, Buffer.from(host)));
  const alternatives = tlv(SEQUENCE, ...names, tlv(0x87, Buffer.from([127, 0, 0, 1])));
  return tlv(
    0xa3,
    tlv(
      SEQUENCE,
      tlv(SEQUENCE, OID.basicConstraints, BOOLEAN_TRUE, tlv(OCTET_STRING, tlv(SEQUENCE, BOOLEAN_TRUE))),
      tlv(SEQUENCE, OID.subjectAltName, tlv(OCTET_STRING, alternatives)),
    ),
  );
};

const DAY_MS = 86_400_000;

/**
 * Makes a key and a certificate that is its own authority, valid for the hosts and 127.0.0.1 for two days around now.
 * @param {string} name
 * @param {readonly string[]} hosts
 * @returns {{ key: string, cert: string }} PEM
 */
export function makeCertificate(name, hosts) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = tlv(SEQUENCE, OID.ecdsaWithSha256);
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const toBeSigned = tlv(
    SEQUENCE,
    tlv(0xa0, tlv(INTEGER, Buffer.from([2]))),
    tlv(INTEGER, serial),
    algorithm,
    commonName(name),
    tlv(SEQUENCE, utcTime(new Date(Date.now() - DAY_MS)), utcTime(new Date(Date.now() + DAY_MS))),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(hosts),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const der = tlv(SEQUENCE, toBeSigned, algorithm, tlv(BIT_STRING, Buffer.from([0]), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

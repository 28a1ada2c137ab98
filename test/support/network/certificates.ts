/** A test creates its certificates, so that the repository contains no private key and no certificate expires. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority {
  cert: string;
  issue(host: string, options?: { isExpired?: boolean }): Certificate;
}

const dayMs = 86_400_000;

export function createAuthority(name = 'Tillhook tests'): Authority {
  const { publicKey, privateKey } = newKeys();
  const own = { subject: name, issuer: name, publicKey, signer: privateKey };
  return {
    cert: certificate({ ...own, extension: authorityExtension, ...days(-1, 1) }),
    issue(host, { isExpired = false } = {}) {
      const keys = newKeys();
      const validity = isExpired ? days(-2, -1) : days(-1, 1);
      const parts = { subject: host, issuer: name, publicKey: keys.publicKey, signer: privateKey };
      return {
        cert: certificate({ ...parts, extension: hostExtension(host), ...validity }),
        key: pemOf(keys.privateKey),
      };
    },
  };
}

/** Creates a self-signed certificate. */
export function selfSigned(host: string): Certificate {
  const { publicKey, privateKey } = newKeys();
  const parts = { subject: host, issuer: host, publicKey, signer: privateKey, extension: hostExtension(host) };
  return { cert: certificate({ ...parts, ...days(-1, 1) }), key: pemOf(privateKey) };
}

interface Parts {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extension: Buffer;
  from: Date;
  until: Date;
}

function certificate({ subject, issuer, publicKey, signer, extension, from, until }: Parts): string {
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(from), time(until)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const whole = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', signed, signer)));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const days = (from: number, until: number) => ({
  from: new Date(Date.now() + from * dayMs),
  until: new Date(Date.now() + until * dayMs),
});

/** Encodes a value in DER: a tag, a length and the contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const nameOf = (common: string) => sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(common)))));
const time = (date: Date) =>
  der(
    0x17,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

/** The extension `basicConstraints` allows a certificate to sign other certificates. */
const authorityExtension = sequence(objectId('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))));

/** Clients compare the host in `subjectAltName` with the host of the URL. */
function hostExtension(host: string): Buffer {
  const name = isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  return sequence(objectId('551d11'), der(0x04, sequence(name)));
}

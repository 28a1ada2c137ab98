/** An authenticator in software, by the W3C's Web Authentication and without the library that the server uses. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { OperationInput, OperationOutput } from '@tillhook/openapi';

type Registration = OperationInput<'addPasskey'>['body'];
type Assertion = OperationInput<'signInWithPasskey'>['body'];

/** What the authenticator or the page does differently from what the options ask for. */
interface Deviations {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  isVerified?: boolean;
  counter?: number;
  /** Sends a statement of the manufacturer that cannot be checked. */
  attests?: boolean;
}

export interface Authenticator {
  id: string;
  register(options: OperationOutput<'beginPasskey'>, deviations?: Deviations): Registration;
  sign(options: OperationOutput<'beginPasskeyProof'>, deviations?: Deviations): Assertion;
}

interface Made {
  /** The address of the page that uses the authenticator. */
  origin: string;
  aaguid?: string;
  /** Whether the authenticator counts its signatures. */
  counts?: boolean;
}

/** CBOR: a map with `fmt`, `attStmt` and the beginning of `authData`. */
const unattested = 'a363666d74646e6f6e656761747453746d74a068617574684461746158';
const packed = 'a363666d74667061636b65646761747453746d74a163736967410068617574684461746158';

const none = '00000000-0000-0000-0000-000000000000';

export function createAuthenticator({ origin: ownOrigin, aaguid = none, counts = true }: Made): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (challenge: string, type: string, { origin = ownOrigin, ...other }: Deviations) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...replaced(other) }));
  const head = (rpId: string, hasKey: boolean, { isVerified = true, counter: given }: Deviations) => {
    if (counts) counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(given ?? counter);
    return Buffer.concat([sha256(rpId), Buffer.of(1 | (isVerified ? 4 : 0) | (hasKey ? 64 : 0)), count]);
  };
  return {
    id: id.toString('base64url'),
    register({ challenge, rp }, deviations = {}) {
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const authData = Buffer.concat([
        head(deviations.rpId ?? rp.id, true, deviations),
        Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
        Buffer.of(0, id.length),
        id,
        cose,
      ]);
      const object = Buffer.concat([
        Buffer.from(deviations.attests ? packed : unattested, 'hex'),
        Buffer.of(authData.length),
        authData,
      ]);
      return {
        credentialId: id.toString('base64url'),
        clientDataJSON: clientData(challenge, 'webauthn.create', deviations).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal'],
      };
    },
    sign({ challenge, rpId }, deviations = {}) {
      const authData = head(deviations.rpId ?? rpId, false, deviations);
      const clientDataJSON = clientData(challenge, 'webauthn.get', deviations);
      return {
        credentialId: id.toString('base64url'),
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, sha256(clientDataJSON)]), privateKey).toString('base64url'),
      };
    },
  };
}

function replaced({ type, challenge }: Deviations): Deviations {
  return { ...(type !== undefined && { type }), ...(challenge !== undefined && { challenge }) };
}

const sha256 = (content: string | Buffer): Buffer => createHash('sha256').update(content).digest();

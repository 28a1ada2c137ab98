/**
 * Encrypts secrets that are stored and have to be read again, such as webhook signing secrets. The owner's id is
 * associated data, so a value that was copied to another row cannot be decrypted. The first configured key encrypts and
 * every configured key decrypts, so that a master key can be replaced.
 */
import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import { randomBytes } from './random-bytes.ts';

export interface MasterKey {
  id: string;
  key: Buffer;
}

export interface Sealer {
  readonly keyIds: readonly string[];
  seal(plain: string, ownerId: string): string;
  open(sealed: string, ownerId: string): string;
}

const nonceLength = 12;
const tagLength = 16;
/** Without a tag length, Node would also accept tags of four bytes, which can be guessed. */
const options = { authTagLength: tagLength };

export function createSealer(masterKeys: readonly MasterKey[]): Sealer {
  const keys = masterKeys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
  const [sealing] = keys;
  if (!sealing) throw new Error('No master key was given, so nothing can be encrypted.');
  return {
    keyIds: keys.map(({ id }) => id),
    seal(plain, ownerId) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', sealing.key, nonce, options).setAAD(Buffer.from(ownerId));
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${sealing.id}.${sealed.toString('base64')}`;
    },
    open(sealed, ownerId) {
      const [version, keyId, payload] = sealed.split('.');
      const key = keys.find(({ id }) => id === keyId);
      if (version !== 'v1' || !payload || !key)
        throw new Error(`No configured master key opens this secret (${keyId}).`);
      const bytes = Buffer.from(payload, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key.key, bytes.subarray(0, nonceLength), options)
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(bytes.subarray(-tagLength));
      return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

/** The sealer of a command that neither encrypts nor decrypts secrets, and so needs no master key. */
export const noSealer: Sealer = {
  keyIds: [],
  seal: refuse,
  open: refuse,
};

function refuse(): never {
  throw new Error('There are no master keys: set MASTER_KEYS.');
}

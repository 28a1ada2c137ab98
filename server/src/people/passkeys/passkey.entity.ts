import { defineEntity, p } from '@mikro-orm/core';
import { dayMs } from '../../kit/hours.ts';

const PasskeySchema = defineEntity({
  name: 'Passkey',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    /** The id that the authenticator gave the passkey, in base64url. */
    credentialId: p.text(),
    publicKey: p.blob(),
    /** The number of signatures that the authenticator has reported; always 0 if it does not count. */
    counter: p.bigint('number'),
    transports: p.array(),
    name: p.text(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    copySeenAt: p.datetime(3).nullable(),
  },
});

const mailIntervalMs = dayMs;

export class Passkey extends PasskeySchema.class {
  /** False once the counter went back: then two devices have the private key, and the service does not know which is the copy. */
  isTrusted(counter: number): boolean {
    const isInOrder = counter > this.counter || (counter === 0 && this.counter === 0);
    return this.copySeenAt == null && isInOrder;
  }

  use(counter: number, now: Date): void {
    this.counter = counter;
    this.lastUsedAt = now;
  }

  /** Returns true if the user has to get a mail, which is at most once a day. */
  noteCopy(now: Date): boolean {
    const isDue = this.copySeenAt == null || now.getTime() - this.copySeenAt.getTime() >= mailIntervalMs;
    this.copySeenAt = isDue ? now : this.copySeenAt;
    return isDue;
  }
}
PasskeySchema.setClass(Passkey);

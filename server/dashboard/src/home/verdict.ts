import { sign } from '@tillhook/sdk/webhooks';
import type { Signed } from './signature-code.ts';

export interface Verdict {
  isRight: boolean;
  words: string;
}

export async function signatureOf({ id, timestamp, body, secret }: Signed): Promise<string> {
  return (await sign(body, secret, { id, timestamp: Number(timestamp) }))['webhook-signature'];
}

/** Explains the mistake when the output of the user's program is wrong. */
export async function checkSignature(printed: string, { id, timestamp, body, secret }: Signed): Promise<Verdict> {
  const typed = printed.trim().replaceAll(/^["']|["']$/g, '');
  const right = await sign(body, secret, { id, timestamp: Number(timestamp) });
  const expected = right['webhook-signature'];
  if (typed === expected)
    return {
      isRight: true,
      words: 'Correct: this is the signature that we sent. Your program can verify webhooks.',
    };
  if (`v1,${typed}` === expected)
    return { isRight: true, words: 'Correct: this is the signature that we sent. In the header it comes after “v1,”.' };
  if (typed.toLowerCase() === right['X-Service-Signature']) {
    return {
      isRight: true,
      words:
        'This is X-Service-Signature, which we also sent. It does not protect against replays, so prefer webhook-signature.',
    };
  }
  const wrongKey = await sign(body, `whsec_${btoa(secret)}`, { id, timestamp: Number(timestamp) });
  if (typed === wrongKey['webhook-signature']) {
    return {
      isRight: false,
      words: 'The secret was used as plain text. Remove whsec_ and decode the rest from base64 first.',
    };
  }
  if (!/^(v1,)?[\w+/=]{40,}$/.test(typed)) {
    return {
      isRight: false,
      words:
        'This is not a signature. A signature begins with “v1,”, followed by 44 letters, digits and the characters + / =',
    };
  }
  return {
    isRight: false,
    words:
      'This is a different signature. With this secret, sign the ID, a dot, the timestamp, a dot and the body, exactly as shown above.',
  };
}

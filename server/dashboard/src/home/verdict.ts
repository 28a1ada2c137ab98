import { sign } from '@tillhook/sdk/webhooks';
import type { Signed } from './signature-code.ts';

export interface Verdict {
  isRight: boolean;
  words: string;
}

/** Explains the mistake when the output of the user's program is wrong. */
export async function checkSignature(printed: string, { id, timestamp, body, secret }: Signed): Promise<Verdict> {
  const typed = printed.trim().replaceAll(/^["']|["']$/g, '');
  const right = await sign(body, secret, { id, timestamp: Number(timestamp) });
  const expected = right['webhook-signature'];
  if (typed === expected)
    return {
      isRight: true,
      words: 'It is the signature that we sent. Your program can recognise our webhooks.',
    };
  if (`v1,${typed}` === expected)
    return { isRight: true, words: 'It is the signature that we sent; in the header it stands after v1 and a comma.' };
  if (typed.toLowerCase() === right['X-Service-Signature']) {
    return {
      isRight: true,
      words: 'It is X-Service-Signature, which we sent as well. It covers no time: prefer webhook-signature.',
    };
  }
  const wrongKey = await sign(body, `whsec_${btoa(secret)}`, { id, timestamp: Number(timestamp) });
  if (typed === wrongKey['webhook-signature']) {
    return {
      isRight: false,
      words: 'The key was the text of the secret. Take away whsec_ and decode the rest from base64 first.',
    };
  }
  if (!/^(v1,)?[\w+/=]{40,}$/.test(typed)) {
    return {
      isRight: false,
      words:
        'That is no signature. A signature begins with v1 and a comma; 44 letters, digits and the signs + / = follow.',
    };
  }
  return {
    isRight: false,
    words:
      'It is another signature. Sign the id, a dot, the timestamp, a dot and the body, byte for byte as it stands above, with this secret.',
  };
}

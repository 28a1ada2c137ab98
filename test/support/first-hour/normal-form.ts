/** In aligned columns, the replacement has the width of the replaced text. */
export interface NormalForm {
  (text: string): string;
  typed(command: string): string;
}

const escapeCode = String.fromCharCode(27);
/** Matches progress lines, which the next output overwrites. */
const progress = new RegExp(`[^\\n]*\\r${escapeCode}\\[K`, 'g');

export function createNormalForm(ports: Readonly<Record<number, number>>): NormalForm {
  const ids = new Map<string, string>();
  const idFor = (id: string) => {
    const known = ids.get(id) ?? `019aa3c7-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const numbered = (text: string, kind: string) => {
    const known = ids.get(text) ?? `${kind}${String(ids.size + 1).padStart(text.length - kind.length, '0')}`;
    ids.set(text, known);
    return known;
  };
  const fixed = '00000000-0000-7000-8000-000000000001';
  const toReal = Object.entries(ports);
  const normal = (text: string) => {
    let result = text
      .replaceAll(progress, '')
      // On a busy machine, the server may warn of what it waits for, or could not note in time.
      .replaceAll(/^.*WARN: .*\n/gm, '')
      .replaceAll(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, (id) => (id === fixed ? id : idFor(id)))
      .replaceAll(/whsec_(?:•+\S{4}|[\w+/]{20,}={0,2})/g, 'whsec_…')
      .replaceAll(/webhook-timestamp: \d+/g, 'webhook-timestamp: 1795600800')
      .replaceAll(/\b\w{3}, \d\d \w{3} \d{4}\b/g, 'Wed, 25 Nov 2026')
      .replaceAll(/^\d\d:\d\d (?=[✓✗•])/gm, '10:00 ')
      .replaceAll(/\bsk_(test|live)_\w{20,}/g, 'sk_$1_…')
      .replaceAll(/\breq_\w+/g, 'req_…')
      .replaceAll(/\b(?:[0-9a-z]{5}-){3}[0-9a-z]{5}\b/g, 'abcde-fghjk-mnpqr-stvwx')
      .replaceAll(/\/tmp\/tillhook-data-\w+/g, '.data')
      .replaceAll(/\b(ref_|payout-)[0-9a-z]{10,}/g, (text, kind) => numbered(text, kind))
      .replaceAll(/\/pay\/[\w-]+/g, '/pay/…')
      .replaceAll(/, [\d.]+ m?s later/g, ', 1 s later')
      .replaceAll(/\d{4}-\d\d-\d\d(?=[ T])/g, '2026-11-25')
      .replaceAll(/\d\d:\d\d:\d\d/g, '10:00:00')
      .replaceAll(/\.\d{3}Z/g, '.000Z')
      .replaceAll(/\b\d+ ms\b/g, '… ms')
      // The webhook can be delivered before the service logs the call that caused it.
      .replaceAll(/^(10:00:00 ✓ (?!test\.event).* → .*\n)(10:00:00 POST .*\n)/gm, '$2$1')
      // The text in parentheses depends on the moment at which the service is killed.
      .replaceAll(/does not answer \([^)]+\)/g, 'does not answer (other side closed)')
      // The programs print `--base-url` only if the service does not run at the default address.
      .replaceAll(/(npm run receiver) -- --base-url \S+/g, '$1')
      // The shared server of the tests has a random port of five digits.
      .replaceAll(/localhost:\d{5}\b/g, 'localhost:3000');
    for (const [shown, real] of toReal) result = result.replaceAll(`:${real}`, `:${shown}`);
    return result;
  };
  return Object.assign(normal, {
    typed: (command: string) =>
      toReal.reduce((text, [shown, real]) => text.replaceAll(`:${shown}`, `:${real}`), command),
  });
}

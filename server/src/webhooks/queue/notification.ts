/** The text of a `NOTIFY` by which one process tells the others of due deliveries. */
import { isId } from '../../kit/ids.ts';
import type { DueDelivery } from '../../wire/claimed.ts';

interface Notification {
  /** The name of the process that sent it. */
  from: string;
  /** The deliveries that became due. Undefined when the receiver has to look for them. */
  due: readonly DueDelivery[] | undefined;
}

/** Postgres accepts 7999 bytes, and each delivery takes 79. */
const mostNamed = 90;

export function writeNotification({ from, due = [] }: Notification): string {
  const isNamed = due.length > 0 && due.length <= mostNamed;
  return JSON.stringify({ from, ...(isNamed && { due: due.map(({ id, endpointId }) => [id, endpointId]) }) });
}

/** Another version may have sent only the name of its process. Any text wakes the dispatcher. */
export function readNotification(text: string): Notification {
  try {
    const { from, due } = JSON.parse(text);
    return { from: String(from), due: readDue(due) };
  } catch {
    return { from: text, due: undefined };
  }
}

function readDue(due: unknown): DueDelivery[] | undefined {
  if (!Array.isArray(due) || due.length === 0) return undefined;
  const named = due.map(([id, endpointId]) => ({ id, endpointId }));
  return named.every(({ id, endpointId }) => isId(id) && isId(endpointId)) ? named : undefined;
}

/**
 * Reads the statements out of what a client sends to Postgres. A statement that was prepared is sent by its name alone, so the
 * names of a connection are remembered.
 */

/** Returns the text of the last statement in these bytes, on one line; what the message is when it holds no statement. */
export function readStatements(): (bytes: Buffer) => string {
  const prepared = new Map<string, string>();
  let hasBegun = false;
  return (bytes) => {
    // The first message of a connection has no type.
    if (!hasBegun) {
      hasBegun = true;
      return 'the start of a connection';
    }
    let statement: string | undefined;
    for (const { type, body } of messagesIn(bytes)) statement = textOf(type, body, prepared) ?? statement;
    return statement?.replaceAll(/\s+/g, ' ').trim() ?? 'a message without a statement';
  };
}

interface Message {
  type: string;
  body: Buffer;
}

const headerBytes = 5;

/** A type of one byte, a length that counts itself, and the rest. One that is longer than these bytes is taken as it is. */
function messagesIn(bytes: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at + headerBytes <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    messages.push({ type: String.fromCharCode(bytes[at] ?? 0), body: bytes.subarray(at + headerBytes, end) });
  }
  return messages;
}

/** Of a query, of a statement that is prepared, or of one that was prepared before and is bound. */
function textOf(type: string, body: Buffer, prepared: Map<string, string>): string | undefined {
  const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
  if (type === 'Q') return first;
  if (type === 'P') {
    prepared.set(first, second);
    return second;
  }
  return type === 'B' ? prepared.get(second) : undefined;
}

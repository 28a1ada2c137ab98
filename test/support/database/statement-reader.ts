/** A client executes a prepared statement by name, so the reader stores the text of each named statement. */

export function readStatements(): (bytes: Buffer) => string {
  const prepared = new Map<string, string>();
  let hasBegun = false;
  return (bytes) => {
    // The startup message of a connection has no type byte.
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

/** A message has a type of one byte, a length of four bytes that counts itself and the body, and the body. */
function messagesIn(bytes: Buffer): Message[] {
  const messages: Message[] = [];
  for (let at = 0; at + headerBytes <= bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    messages.push({ type: String.fromCharCode(bytes[at] ?? 0), body: bytes.subarray(at + headerBytes, end) });
  }
  return messages;
}

/**
 * The message is a simple query (Q), a Parse message (P), or a Bind message (B) for a statement that was parsed before.
 */
function textOf(type: string, body: Buffer, prepared: Map<string, string>): string | undefined {
  const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
  if (type === 'Q') return first;
  if (type === 'P') {
    prepared.set(first, second);
    return second;
  }
  return type === 'B' ? prepared.get(second) : undefined;
}

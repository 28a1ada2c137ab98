/**
 * Returns the statements that end in the bytes. A long statement arrives in a number of chunks that depends on the load
 * of the machine, so a reader that took each chunk for a statement would count differently in each run.
 */
export function readStatements(): (bytes: Buffer) => string[] {
  const messagesIn = readMessages();
  // A client executes a prepared statement by name, so the reader stores the text of each named statement.
  const prepared = new Map<string, string>();
  let text: string | undefined;
  return (bytes) => {
    const statements: string[] = [];
    for (const { type, body } of messagesIn(bytes)) {
      text = textOf(type, body, prepared) ?? text;
      if (!endsStatement.has(type)) continue;
      statements.push(text?.replaceAll(/\s+/g, ' ').trim() ?? 'a statement without a text');
      text = undefined;
    }
    return statements;
  };
}

/** After a simple query (Q) or a Sync message (S), the client waits for the response. */
const endsStatement = new Set(['Q', 'S']);

interface Message {
  /** Empty for the startup message of a connection, which has no type byte. */
  type: string;
  body: Buffer;
}

/** A message has a type of one byte, a length of four bytes that counts itself and the body, and the body. */
function readMessages(): (bytes: Buffer) => Message[] {
  let unread = Buffer.alloc(0);
  let typeBytes = 0;
  const nextEnd = () => (unread.length < typeBytes + 4 ? Infinity : typeBytes + unread.readUInt32BE(typeBytes));
  return (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    const messages: Message[] = [];
    for (let end = nextEnd(); end <= unread.length; end = nextEnd()) {
      messages.push({ type: unread.toString('latin1', 0, typeBytes), body: unread.subarray(typeBytes + 4, end) });
      unread = unread.subarray(end);
      typeBytes = 1;
    }
    return messages;
  };
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

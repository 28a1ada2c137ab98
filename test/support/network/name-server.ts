import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/**
 * `[]` means that the name does not exist, and `silence` that the DNS server never answers. With `inTurn`, each lookup
 * gets the next answer of the list, and the last answer repeats.
 */
export type NameAnswer = string[] | 'silence' | { inTurn: string[][] };

export interface NameServer {
  /** A name without an answer does not exist. */
  names: Map<string, NameAnswer>;
  /** The address family (IPv4 or IPv6) for which the DNS server never answers queries about a name. */
  silentFamilies: Map<string, 4 | 6>;
  /** A lookup sends one query for each address family. */
  questions: string[];
  stop(): void;
}

const addressType = { 4: 1, 6: 28 };
const noSuchName = 3;

/** Until `stop`, this process queries this server instead of the system's DNS server. */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, NameAnswer>();
  const silentFamilies = new Map<string, 4 | 6>();
  const questions: string[] = [];
  const lookups = countLookups();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    questions.push(name);
    const given = names.get(name) ?? [];
    const isInTurn = typeof given === 'object' && 'inTurn' in given;
    const answer = isInTurn ? (given.inTurn.slice(0, lookups(given, { query, type, port })).at(-1) ?? []) : given;
    const silentFamily = silentFamilies.get(name);
    if (silentFamily && type === addressType[silentFamily]) return;
    if (answer !== 'silence') socket.send(reply(query.subarray(0, end), type, answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const usual = dns.getServers();
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    names,
    silentFamilies,
    questions,
    stop() {
      dns.setServers(usual);
      socket.close();
    },
  };
}

interface DnsQuestion {
  query: Buffer;
  type: number;
  port: number;
}

/** A repeated query belongs to the same lookup. */
function countLookups(): (answers: object, question: DnsQuestion) => number {
  const known = new WeakMap<object, Map<number, string[]>>();
  return (answers, { query, type, port }) => {
    const ofFamilies = known.get(answers) ?? new Map<number, string[]>();
    known.set(answers, ofFamilies);
    const lookups = ofFamilies.get(type) ?? [];
    ofFamilies.set(type, lookups);
    const lookup = `${port} ${query.readUInt16BE(0)}`;
    if (!lookups.includes(lookup)) lookups.push(lookup);
    return lookups.indexOf(lookup) + 1;
  };
}

/** Reads a query: a header of 12 bytes, labels (each after its length), a zero byte, the type and the class. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(question: Buffer, type: number, addresses: string[]): Buffer {
  const fitting = addresses.filter((address) => type === addressType[isIPv4(address) ? 4 : 6]);
  const message = Buffer.from(question);
  // These flags say that recursion is desired and available.
  message.writeUInt16BE(0x8180 | (addresses.length === 0 ? noSuchName : 0), 2);
  message.writeUInt16BE(1, 4);
  message.writeUInt16BE(fitting.length, 6);
  message.writeUInt32BE(0, 8);
  return Buffer.concat([message, ...fitting.map((address) => record(type, bytesOf(address)))]);
}

/** The name is a pointer to the name in the query, and the TTL of 0 forbids caching. */
function record(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

import type { Checked } from './request-check.ts';
import { momentOf, type SeededList, type SeedRecord } from './seeds.ts';

/** The page of a seeded list that a valid query asks for, and how many records match on all of them. */
export function pageOf({ key, records }: SeededList, { query, path, mode }: Checked): SeedRecord {
  const { limit = 20, offset = 0, order, from, to, ...filters } = query;
  const matching = records.filter(
    (record) => isWithin(momentOf(record), from, to) && Object.entries(filters).every(matches(record)),
  );
  const ordered = order === 'asc' ? matching.toReversed() : matching;
  const page = ordered.slice(Number(offset), Number(offset) + Number(limit));
  return { [key]: page.map((record) => asAskedFor(record, { ...path, mode })), total: matching.length };
}

/** `from` is inclusive and `to` exclusive. */
function isWithin(moment: number, from: unknown, to: unknown): boolean {
  const isAfter = from === undefined || moment >= Date.parse(String(from));
  return isAfter && (to === undefined || moment < Date.parse(String(to)));
}

/** A filter that is no field of the record lets everything through. Letter case matters to no e-mail address. */
function matches(record: SeedRecord): (filter: [name: string, value: unknown]) => boolean {
  return ([name, wanted]) => {
    if (!(name in record)) return true;
    const [own, other] = [String(record[name]), String(wanted)];
    return own === other || (other.includes('@') && own.toLowerCase() === other.toLowerCase());
  };
}

/** The entries of a wallet are that wallet's, and what a key sees has the key's mode. */
function asAskedFor(record: SeedRecord, asked: SeedRecord): SeedRecord {
  const own = Object.entries(asked).filter(([name]) => name in record);
  return own.length === 0 ? record : { ...record, ...Object.fromEntries(own) };
}

/** Moments in a `datetime-local` field: it shows and takes the reader's own time, and everything else has UTC. */

export function toLocal(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.valueOf())) return '';
  return new Date(at.valueOf() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Empty when nothing, or half a moment, was typed. */
export function fromLocal(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.valueOf()) ? '' : at.toISOString();
}

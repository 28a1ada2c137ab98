/** A `datetime-local` field shows and returns the user's local time, and all other code uses UTC. */

export function toLocal(moment: string): string {
  const at = new Date(moment);
  if (Number.isNaN(at.valueOf())) return '';
  return new Date(at.valueOf() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns an empty string when the user has typed nothing or only a part of the time. */
export function fromLocal(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.valueOf()) ? '' : at.toISOString();
}

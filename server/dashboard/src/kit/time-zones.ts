import { knownZone } from './locale.ts';

/** Chromium lists these zones by earlier names of the cities. */
const presentNames: Record<string, string> = {
  'Africa/Asmera': 'Asmara',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Europe/Kiev': 'Kyiv',
};

const continents: Readonly<Record<string, string>> = {
  Africa: 'Africa',
  America: 'America',
  Antarctica: 'Antarctica',
  Arctic: 'Arctic',
  Asia: 'Asia',
  Atlantic: 'Atlantic',
  Australia: 'Australia',
  Europe: 'Europe',
  Indian: 'Indian Ocean',
  Pacific: 'Pacific',
};

function continentOf(zone: string): string {
  const name = zone.slice(0, zone.indexOf('/'));
  return continents[name] ?? name;
}

/** The zones that the browser knows, by continent. The list always has `present`, the zone that the user has chosen. */
export function zoneGroups(present: string | null) {
  const groups = Object.groupBy(zonesWith(present), continentOf);
  return [
    { value: 'UTC', label: 'UTC' },
    ...Object.entries(groups).map(([group, ofGroup = []]) => ({
      group,
      items: ofGroup.map(toOption).sort((one, other) => one.label.localeCompare(other.label)),
    })),
  ];
}

function toOption(zone: string) {
  const places = zone
    .slice(zone.indexOf('/') + 1)
    .replaceAll('/', ', ')
    .replaceAll('_', ' ');
  return { value: zone, label: presentNames[zone] ?? places };
}

/** One list with the continent and the present offset of each zone, such as "Lagos, Africa (GMT+1)". */
export function zoneOptions(present: string) {
  const options = zonesWith(present).map((zone) => {
    const { value, label } = toOption(zone);
    return { value, label: `${label}, ${continentOf(zone)} (${offsetOf(zone)})` };
  });
  options.sort((one, other) => one.label.localeCompare(other.label));
  return [{ value: 'UTC', label: 'UTC' }, ...options];
}

function zonesWith(present: string | null): string[] {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
  return present === null || present === 'UTC' || known.includes(present) ? known : [...known, present];
}

function offsetOf(zone: string): string {
  if (knownZone(zone) === undefined) return zone;
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

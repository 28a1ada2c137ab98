import type { DisplayLanguage } from '@tillhook/sdk/session';

const languageNames: Record<NonNullable<DisplayLanguage>, string> = {
  'ar-EG': 'Arabic (Egypt)',
  'zh-CN': 'Chinese (China)',
  'nl-NL': 'Dutch (Netherlands)',
  'en-AU': 'English (Australia)',
  'en-CA': 'English (Canada)',
  'en-IN': 'English (India)',
  'en-NG': 'English (Nigeria)',
  'en-ZA': 'English (South Africa)',
  'en-GB': 'English (United Kingdom)',
  'en-US': 'English (United States)',
  'fr-FR': 'French (France)',
  'de-DE': 'German (Germany)',
  'hi-IN': 'Hindi (India)',
  'it-IT': 'Italian (Italy)',
  'ja-JP': 'Japanese (Japan)',
  'ko-KR': 'Korean (South Korea)',
  'pl-PL': 'Polish (Poland)',
  'pt-BR': 'Portuguese (Brazil)',
  'pt-PT': 'Portuguese (Portugal)',
  'es-MX': 'Spanish (Mexico)',
  'es-ES': 'Spanish (Spain)',
  'sv-SE': 'Swedish (Sweden)',
  'tr-TR': 'Turkish (Türkiye)',
};

export const languages = Object.entries(languageNames).map(([value, label]) => ({ value, label }));

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

/** The zones that the browser knows, by continent. The list always has `present`, the zone that the user has chosen. */
export function zoneGroups(present: string | null) {
  const known = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'));
  const zones = present === null || present === 'UTC' || known.includes(present) ? known : [...known, present];
  const groups = Object.groupBy(zones, (zone) => zone.slice(0, zone.indexOf('/')));
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

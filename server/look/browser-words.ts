import Bowser from 'bowser';

/** Returns words such as "Firefox on Linux", and null for an unknown program. */
export function browserName(userAgent: string): string | null {
  const { browser, os } = Bowser.parse(userAgent || ' ');
  return browser.name ? [browser.name, os.name].filter(Boolean).join(' on ') : null;
}

/** Returns words such as "Firefox 145 on Linux". For an unknown program, returns the beginning of the header. */
export function browserWords(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown';
  const { browser, os } = Bowser.parse(userAgent || ' ');
  if (!browser.name) return userAgent.slice(0, 60) || 'Unknown';
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ');
  return os.name ? `${name} on ${os.name}` : name;
}

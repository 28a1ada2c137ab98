import { domainToUnicode } from 'node:url';
import { asciiEmail } from '@tillhook/openapi/rules/fields';

/**
 * Writes the domain as people read it, so that one mailbox has one address: `ada@ａcme.com`, whose first letter is full-width,
 * is `ada@acme.com`. Choice: the part before the @ stays as it was typed, and addresses are compared without regard to case.
 */
export function canonicalEmail(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (/^\p{ASCII}*$/u.test(domain) && !/(?:^|\.)xn--/i.test(domain)) return email;
  const ascii = asciiEmail(email);
  const at = ascii.lastIndexOf('@') + 1;
  return `${ascii.slice(0, at)}${domainToUnicode(ascii.slice(at)) || domain}`;
}

/** What to look for in lower case. Earlier versions stored the domain as it was typed, and programs often send it in ASCII. */
export function formsOfEmail(email: string): string[] {
  const canonical = canonicalEmail(email);
  return [canonical.toLowerCase(), asciiEmail(canonical).toLowerCase()];
}

/** The sign of the unit kelvin becomes `k` in lower case, but an address with this sign belongs to another mailbox. */
export function isSameMailbox(...emails: [string, string]): boolean {
  const [one, other] = emails.map((email) => canonicalEmail(email).replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return one === other;
}

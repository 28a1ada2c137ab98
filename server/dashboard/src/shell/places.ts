import type { NavigateOptions } from '@tanstack/react-router';
import type { Mode } from '@tillhook/sdk/session';
import type { Icon } from '../kit/icons.tsx';
import { accountPage, pageGroups } from './pages.ts';
import { pagesWithKeys } from './shortcuts.ts';

export interface Place {
  label: string;
  /** The page of which the place is a part. */
  within: string | null;
  /** Other words by which the place is found. */
  words: string;
  icon: Icon;
  page: NavigateOptions;
}

const settingsPage = pageGroups[3][1];
const developersPage = pageGroups[3][0];

/** The pages that the role has, then the sections of Settings, of the account and of Developers. */
export function placesFor(role: string, mode: Mode): Place[] {
  const params = { mode };
  const settings = (label: string, words: string, tab: 'business' | 'receipts' | 'team' | 'audit'): Place => ({
    label,
    within: settingsPage.label,
    words,
    icon: settingsPage.icon,
    page: { to: settingsPage.to, params, search: { tab } },
  });
  const account = (label: string, words: string, tab: 'sign-in' | 'sessions' | 'notifications' | 'profile'): Place => ({
    label,
    within: accountPage.label,
    words,
    icon: accountPage.icon,
    page: { to: accountPage.to, params, search: { tab } },
  });
  return [
    ...pagesWithKeys(role).map(
      ({ to, label, icon }): Place => ({ label, within: null, words: '', icon, page: { to, params } }),
    ),
    settings('Business', 'name brand colour logo help currency storefront', 'business'),
    {
      ...settings('Time zone', 'days hours utc', 'business'),
      page: { to: settingsPage.to, params, search: { tab: 'business' }, hash: 'time-zone' },
    },
    settings('Receipts', 'mails email', 'receipts'),
    settings('Team', 'members users roles invite invitation colleague', 'team'),
    settings('Audit log', 'history who changed', 'audit'),
    account('Sign-in', 'password passkey two-step 2fa authenticator', 'sign-in'),
    account('Sessions', 'devices browsers', 'sessions'),
    account('Notifications', 'mails email alerts', 'notifications'),
    account('Profile', 'theme dark light language english french time zone name', 'profile'),
    {
      label: 'API keys',
      within: developersPage.label,
      words: 'secret key token quick start',
      icon: developersPage.icon,
      page: { to: developersPage.to, params },
    },
  ];
}

/** A text is found by the beginnings of its words, or as a whole from its start. */
export function isFound(wanted: string, label: string, words = ''): boolean {
  const text = `${label} ${words}`.toLowerCase();
  const typed = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return typed.every(
    (one) => text.split(/\s+/).some((word) => word.startsWith(one)) || label.toLowerCase().includes(one),
  );
}

import { moment, oneOf, page, searchOf, text } from '../app/search.ts';

export const settingsTabs = ['business', 'sign-in', 'sessions', 'audit'] as const;

export const settingsSearch = searchOf({
  tab: oneOf(settingsTabs),
  action: text(60),
  email: text(254),
  subject: text(254),
  from: moment,
  to: moment,
  page,
});

import { oneOf, page, searchOf, text } from '../app/search.ts';
import { columns, created, order } from '../kit/filter-values.ts';

export const settingsTabs = ['business', 'receipts', 'team', 'audit'] as const;

/** Earlier versions had these tabs on this page. They are on the page of the account now, and old links lead to it. */
export const movedTabs = ['sign-in', 'sessions'] as const;

export const settingsSearch = searchOf({
  tab: oneOf([...settingsTabs, ...movedTabs]),
  action: text(60),
  email: text(254),
  subject: text(254),
  ...created,
  order,
  columns,
  page,
});

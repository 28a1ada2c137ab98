import { moment, oneOf, page, searchOf, text } from '../app/search.ts';
import { eventNames } from './event-names.ts';

/** What the address of the feed may hold. */
export const eventFilters = searchOf({
  event: oneOf(eventNames),
  reference: text(100),
  from: moment,
  to: moment,
  page,
});

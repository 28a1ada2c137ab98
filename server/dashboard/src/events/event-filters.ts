import { moment, oneOf, page, searchOf } from '../app/search.ts';
import { reference } from '../kit/filter-fields.ts';
import { eventNames } from './event-names.ts';

export const eventFilters = searchOf({
  event: oneOf(eventNames),
  reference,
  from: moment,
  to: moment,
  page,
});

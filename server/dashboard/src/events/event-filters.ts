import { oneOf, page, searchOf, text } from '../app/search.ts';
import { columns, created, order, reference } from '../kit/filter-values.ts';
import { eventNames } from './event-names.ts';

export const eventFilters = searchOf({
  search: text(),
  event: oneOf(eventNames),
  reference,
  ...created,
  order,
  columns,
  page,
});

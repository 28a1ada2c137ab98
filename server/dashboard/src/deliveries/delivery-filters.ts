import { id, oneOf, page, searchOf, text } from '../app/search.ts';
import { eventNames } from '../events/event-names.ts';
import { columns, created, order, reference } from '../kit/filter-values.ts';
import { stateNames } from './delivery-states.ts';

export const deliveryFilters = searchOf({
  search: text(),
  status: oneOf(stateNames),
  event: oneOf(eventNames),
  webhookId: id,
  reference,
  ...created,
  order,
  columns,
  page,
});

import { id, moment, oneOf, page, searchOf } from '../app/search.ts';
import { eventNames } from '../events/event-names.ts';
import { reference } from '../kit/filter-fields.ts';
import { stateNames } from './delivery-states.ts';

export const deliveryFilters = searchOf({
  status: oneOf(stateNames),
  event: oneOf(eventNames),
  webhookId: id,
  reference,
  from: moment,
  to: moment,
  page,
});

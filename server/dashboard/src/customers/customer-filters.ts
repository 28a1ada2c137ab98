import { page, searchOf, text } from '../app/search.ts';
import { columns, order } from '../kit/filter-values.ts';

export const customerFilters = searchOf({ search: text(), order, columns, page });

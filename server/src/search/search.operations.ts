import { type Operation, read } from '../operation/operation.ts';
import { search } from './search.service.ts';
import { searchView } from './search.view.ts';

export const searchRecords: Operation<'searchRecords'> = read(async (context, { query: { q = '' } }) =>
  searchView(await search(context, q), context.clock.now()),
);

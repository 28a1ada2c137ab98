import { type Operations, read } from '../http/operation.ts';
import { accountView } from './account.view.ts';
import { getCallingKey } from './auth.service.ts';

export const accountOperations = {
  getAccount: read(async (context) => accountView(await getCallingKey(context))),
} satisfies Partial<Operations>;

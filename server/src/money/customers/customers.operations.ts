import { csvOf } from '../../kit/csv.ts';
import { pageOf } from '../../kit/pagination.ts';
import { type Operation, read } from '../../operation/operation.ts';
import { customerColumns, customerView } from './customer.view.ts';
import * as customers from './customers.service.ts';

export const listCustomers: Operation<'listCustomers'> = read(
  async (context, { query }) => {
    const { records, total } = await customers.listCustomers(context, query, pageOf(query));
    return { customers: records.map((customer) => customerView(customer, context.principal.mode)), total };
  },
  {
    csv: (context, { query }) =>
      csvOf(customerColumns, customers.readCustomers(context, query), (customer) =>
        customerView(customer, context.principal.mode),
      ),
  },
);

export const getCustomer: Operation<'getCustomer'> = read(async (context, { path }) =>
  customerView(await customers.getCustomer(context, path.id), context.principal.mode),
);

/**
 * What people have to know about a version of the contract and the comparison with the version before does not show, in
 * Markdown. `write-changelog.ts` puts it in front of the list of changes.
 */
export const changelogNotes: Readonly<Record<string, readonly string[]>> = {
  '0.2.0': [
    '**Answers and events are open.** The service may send new fields at any time, and new values of each code and name on the ' +
      'pages [Codes](/docs/codes) and [Errors](/docs/errors). Ignore a field that you do not know. Treat an error code that you do ' +
      'not know by its status. Go on when any other code or name is unknown to you.',
    '**States are closed.** The `status` of a payment, refund, transfer or delivery has only the listed values, and no version ' +
      'under `/api/v1` adds one. Bodies of requests are closed too: the service refuses a field that it does not know.',
    '**Integers have sizes.** `int64` marks amounts, balances and totals, which may be greater than 2,147,483,647, and `int32` ' +
      'marks all others. If you generate a client, for example in Go, Java or Rust, generate it again with the flags on the ' +
      'page [Clients in other languages](/docs/clients).',
  ],
};

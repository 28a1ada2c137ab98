/** See docs/decisions/docs.md, "A person writes what a version makes possible, and a program lists the differences". */
export interface VersionNotes {
  date: string;
  /** One or two sentences about what users can do now. */
  summary: string;
  /** Notes for users that the list of differences does not show. */
  notes: readonly string[];
  /** Operators read these notes before they upgrade the service. The changelogs of the packages omit the notes. */
  operators?: readonly string[];
  /** Changes that only the SDK has, for its changelog. */
  sdk?: readonly string[];
  /** Changes that only the mock has, for its changelog. */
  mock?: readonly string[];
}

export const changelogNotes: Readonly<Record<string, VersionNotes>> = {
  '0.2.0': {
    date: '2026-11-21',
    summary:
      'You can now give money back, pay out from a balance, sell products, follow all events, look up each delivery and send it ' +
      'again, and do all of this in a dashboard too. A call with an `Idempotency-Key` can be repeated without a second effect.',
    notes: [
      '**Answers and events are open.** The service may send new fields at any time, and new values of each code and name on the ' +
        'pages [Codes](/docs/codes) and [Errors](/docs/errors). Ignore a field that you do not know. Treat an error code that you do ' +
        'not know by its status. Go on when any other code or name is unknown to you.',
      '**States are closed.** The `status` of a payment, refund, transfer or delivery has only the listed values, and no version ' +
        'under `/api/v1` adds one. Bodies of requests are closed too: the service refuses a field that it does not know.',
      '**Integers have sizes.** `int64` marks amounts, balances and totals, which may be greater than 2,147,483,647, and `int32` ' +
        'marks all others. If you generate a client, for example in Go, Java or Rust, generate it again with the flags on the ' +
        'page [Clients in other languages](/docs/clients).',
      '**Money that arrives is never refused.** A balance or a sum that is greater than 9007199254740991, the highest number that JSON ' +
        'says exactly, is answered as this number. The statement of a wallet as CSV has the exact balance.',
      '**A disputed payment is not refunded by mistake.** While `reviewReason` is `disputed` or `refund_without_funds`, `createRefund` ' +
        'is answered 409 with `payment_under_review`: the money may be on its way back already.',
      '**Customers may have an e-mail domain in any script**, such as `ada@müller.example`. You get it back as you sent it. ' +
        'If your program accepts ASCII only, read the field as a plain string.',
      '**Events say why.** `checkout.failed` has the `failureCode` and `failureMessage` of the payment, and events of refunds and transfers ' +
        'have the `failureCode` beside the reason in words. Events that were made before have no such fields.',
      '**A payment says whether it was cancelled.** Its `cancelledBy` is `merchant` or `customer`, also after a declined card, ' +
        'when its status is `failed`. `checkout.failed` and the last column of the CSV file have it too.',
      '**The `events` of an endpoint can be sent back as you read them.** `registerWebhookEndpoint` and `updateWebhookEndpoint` take the ' +
        'list, and also the string in which answers show it.',
      '**A refund can be found by its own reference.** `listRefunds` has the filter `reference`, as the lists of payments and transfers have.',
      '**Lists can be searched.** `search` of `listPayments`, `listRefunds` and `listTransfers` finds parts of references, addresses and ' +
        'other texts, and amounts; that of `listPaymentLinks` finds names, slugs and descriptions, and that of `listEvents` and `listDeliveries` finds ' +
        'what is about such a payment, refund or transfer. `listCustomers` groups payments by the e-mail address of the customer, and a refund says whose it is.',
      '**Tests need not wait.** `testAdvanceTime` brings all deadlines of your test mode nearer, so a checkout expires and a delivery ' +
        'is tried again within a second: see [Let time pass](/docs/test-cards#let-time-pass). In the SDK the test helpers are now ' +
        '`client.test`. `client.testHelpers` still works.',
      '**The status of your receiver decides.** An answer counts when its headers have come: a body that breaks off or never ends is no ' +
        'failure any more. Interim answers such as `100 Continue` are passed over.',
      '**A failed TLS connection says why.** `errorDetail` of an attempt and of `sendTestEvent` is a sentence, for example that the certificate ' +
        'has expired, is self-signed or is for another host name. `error` stays `tls_failed`.',
      '**Refused calls count.** A key, or without one a network, may send 300 calls a minute that are refused before their ' +
        'merchant is known, such as with no key or with a body that is no JSON, and then gets 429. A body of more than 2,000 values is refused.',
      '**Names have no invisible characters.** Controls, and characters that turn the direction of text, are refused in names, texts and metadata. ' +
        'A CSV file keeps its rows whatever its texts contain.',
      '**Each event in a list has its own schema**, `oneOf` with the discriminator `event`, so a generated client knows the fields of `data`. ' +
        'The schemas `Event` and `Error` are now `EventRecord` and `ErrorResponse`. Nothing changes in what is sent.',
      '**Customers get mails**, if you switch them on in the settings of the dashboard: a receipt for each payment, and mails about its ' +
        'refunds. `receipt: false` in `createCheckout` switches them off for one payment. See [Receipts](/docs/checkout-page#receipts).',
      '**A payment link takes any number of payments.** `createPaymentLink` makes a link with a fixed amount, a product or an amount that ' +
        'the customer enters. `paymentLinkId` of a payment names its link. See [Payment links](/docs/payment-links).',
      '**Customers can pay by bank transfer and by mobile money** where the payment processor offers them, and in test mode. Money of ' +
        'another amount puts the payment under review. See [Payment methods](/docs/payment-methods).',
      '**Every 503 says when to try again**, by `Retry-After`. `RateLimit` and `RateLimit-Policy` are documented for every answer that has them.',
      '**Requests that cannot be read have an error body.** The codes are `malformed_request`, `headers_too_large` and `request_timeout`. ' +
        'A call that waits or streams ends when its key is revoked.',
    ],
    operators: [
      '**Over https, people sign in again.** The cookie of the dashboard is now `__Host-tillhook_session` there, or `__Secure-tillhook_session` ' +
        'when the service is served below a path.',
      '**Run `npm run db:migrate` first.** Processes of the version before serve while it runs and after it, so you can replace them one by ' +
        'one, and go back. A large table gets its new indexes without a lock, which takes minutes for some million rows.',
      '**An API process sends webhooks too.** What it has just committed it sends at once, so it needs the same way to the receivers ' +
        'as a worker. `DELIVERY_DIRECT=off` leaves all of them to workers.',
      '**A silent database fails a call and not a process.** `DATABASE_STATEMENT_TIMEOUT_MS` and `DATABASE_CONNECT_TIMEOUT_MS` are the ' +
        'limits. Behind a pooler, set them on the role.',
      '**`MASTER_KEYS` is required with `DATABASE_URL`.** `tillhook secrets reencrypt` seals all secrets with a new key while the service ' +
        'runs: see [Operations](/docs/operations).',
      '**There are files to run it with.** An image, `compose.yaml`, `ops/kubernetes`, alert rules with a [runbook](/docs/runbooks) for ' +
        'each, a dashboard for Grafana, and traces by OpenTelemetry when `OTEL_EXPORTER_OTLP_ENDPOINT` is set.',
    ],
    sdk: [
      '**A program can follow all events.** `events.follow()` goes on over restarts and outages, and misses none.',
      '**A page of your dashboard has a client too.** `@tillhook/sdk/session` uses the session cookie and needs no key.',
      '**An empty list as a filter no longer means no filter.** `list({ status: [] })` is refused by the service, and a filter that is ' +
        '`null` or has `undefined` in its list is a `TypeError`. To list all, leave the filter out.',
      '**A time limit throws a `TimeoutError`**, which is a `ConnectionError` too. Only its `name` is another one.',
      '**`.asResponse()` gives the HTTP response** of a call, with a body that you read yourself. The package has source maps, and ' +
        '`unwrap` takes `Headers` also where TypeScript knows `dom` without `dom.iterable`.',
      '**A webhook on AWS Lambda** whose body is still base64 is refused with that reason, and there is a recipe for Lambda.',
      '**`baseUrl` may end in `/api/v1`**, which is how `npm start` prints the address of the API. Where the server itself is served ' +
        'below a path that ends so, write it twice.',
      '**The type `CreateRefundRequest` is now `RefundRequest`**, as `TransferRequest` is named. The old name still works.',
    ],
    mock: [
      '**The mock remembers what you make on it.** Checkouts, payments, refunds, endpoints, events and deliveries agree in all ' +
        'calls until it stops, and the page at `checkoutUrl` pays, declines, expires or returns to the shop. ' +
        '`startMock({ remembers: false })` knows examples only, as before.',
      '**It remembers transfers, wallets and products too**, with their events and wallet entries, and a repeated `Idempotency-Key` gets ' +
        'the first answer again. A reference or id that neither you nor an example has is 404, where it was an example before.',
      '**There are commands for developers.** `npx @tillhook/mock listen` follows the events of a running service and posts each ' +
        'to your computer. `trigger`, `advance`, `verify`, `events`, `deliveries`, `resend` and `replay` do what their names say: ' +
        'see [Commands for developers](/docs/developer-commands).',
      '**Receivers can be tried with failures.** `tillhook-mock event --fault` sends a webhook that is wrong on purpose, and ' +
        '`tillhook-receiver` fails with `--fail`, `--slow` and `--status`, and prints what changed since the last attempt.',
      '**Magic inputs choose the answer.** `/__mock` lists them, and the mock checks each request as the service does.',
      '**The mock sends signed webhooks.** `tillhook-mock event` sends one, and sends it again until it is received.',
    ],
  },
  '0.1.0': {
    date: '2026-11-21',
    summary:
      'The first version. You can create a checkout, read payments and transfers, receive signed webhooks at your endpoints, ' +
      'and list the products of a storefront.',
    notes: [],
  },
};

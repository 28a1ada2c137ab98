/** Each page has its own script, which is loaded when the page is first opened. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import { accountSearch } from '../account/account-search.ts';
import { statementFilters } from '../balances/statement-filters.ts';
import { customerFilters } from '../customers/customer-filters.ts';
import { deliveryFilters } from '../deliveries/delivery-filters.ts';
import { eventFilters } from '../events/event-filters.ts';
import { homeSearch } from '../home/home-search.ts';
import { awaitStep } from '../home/load-scripts.ts';
import { PageSkeleton } from '../kit/page-skeleton.tsx';
import { operatorSearch } from '../operator/operator-search.ts';
import { linkFilters, linkSearch } from '../payment-links/link-filters.ts';
import { paymentFilters } from '../payments/payment-filters.ts';
import { productFilters } from '../products/product-filters.ts';
import { refundFilters } from '../refunds/refund-filters.ts';
import { movedTabs, settingsSearch } from '../settings/settings-search.ts';
import { FailureAlone, NotFound, NotFoundAlone, RouteFailure } from '../shell/page-failures.tsx';
import { transferFilters } from '../transfers/transfer-filters.ts';
import { endpointSearch } from '../webhooks/endpoint-search.ts';
import { basePath } from './base.ts';
import { showAsChosen } from './display.ts';
import { loadScript } from './load-script.tsx';
import { queryClient } from './query-client.ts';
import { isEndedSession } from './read-session.ts';
import { isMode, rememberedMode } from './remembered-mode.ts';
import { oneOf, readAddress, searchOf, text, writeAddress } from './search.ts';
import { sessionQuery } from './session.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  notFoundComponent: NotFoundAlone,
  errorComponent: FailureAlone,
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/$mode', params: { mode: rememberedMode() }, replace: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: searchOf({ from: text(2_000), problem: text(20), step: oneOf(['code']) }),
  component: lazyRouteComponent(() => loadScript(() => import('../sign-in/sign-in.page.tsx')), 'SignInPage'),
});

/** The link of a mail leads to the second page. */
const forgotten = [
  createRoute({
    getParentRoute: () => root,
    path: 'forgot-password',
    component: lazyRouteComponent(
      () => loadScript(() => import('../sign-in/forgot-password.page.tsx')),
      'ForgotPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'reset-password',
    component: lazyRouteComponent(
      () => loadScript(() => import('../sign-in/reset-password.page.tsx')),
      'ResetPasswordPage',
    ),
  }),
] as const;

/** The link of an invitation leads to this page. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  component: lazyRouteComponent(() => loadScript(() => import('../sign-in/invitation.page.tsx')), 'InvitationPage'),
});

/** Mails and documents link to these pages without a mode. */
const withoutMode = [
  createRoute({
    getParentRoute: () => root,
    path: 'account',
    validateSearch: accountSearch,
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/$mode/account', params: { mode: rememberedMode() }, search, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'settings',
    validateSearch: settingsSearch,
    beforeLoad: ({ search }) => {
      throw redirect({ to: '/$mode/settings', params: { mode: rememberedMode() }, search, replace: true });
    },
  }),
] as const;

const mode = createRoute({
  getParentRoute: () => root,
  path: '$mode',
  beforeLoad: async ({ params, context, location, preload }) => {
    if (!isMode(params.mode)) throw notFound({ routeId: rootRouteId });
    try {
      const { user } = await context.queryClient.ensureQueryData(sessionQuery);
      // A page that is loaded again shows nothing before that.
      if (!preload && showAsChosen(user.display)) await new Promise(() => undefined);
    } catch (error) {
      if (!isEndedSession(error)) throw error;
      throw redirect({ to: '/sign-in', search: { from: location.href }, replace: true });
    }
  },
  component: lazyRouteComponent(() => loadScript(() => import('../shell/shell.tsx')), 'Shell'),
  // The shell around the pages stays mounted when the user opens another page.
  remountDeps: () => undefined,
  errorComponent: FailureAlone,
  notFoundComponent: NotFound,
});

const below = <const Path extends string>(path: Path) => ({ getParentRoute: () => mode, path });

const pages = [
  createRoute({
    ...below('/'),
    validateSearch: homeSearch,
    component: lazyRouteComponent(() => loadScript(loadHome), 'HomePage'),
  }),
  createRoute({
    ...below('payments'),
    validateSearch: paymentFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../payments/payments.page.tsx')), 'PaymentsPage'),
  }),
  createRoute({
    ...below('payments/$reference'),
    component: lazyRouteComponent(() => loadScript(() => import('../payments/payment.page.tsx')), 'PaymentPage'),
  }),
  createRoute({
    ...below('payment-links'),
    validateSearch: linkFilters,
    component: lazyRouteComponent(
      () => loadScript(() => import('../payment-links/payment-links.page.tsx')),
      'PaymentLinksPage',
    ),
  }),
  createRoute({
    ...below('payment-links/$id'),
    validateSearch: linkSearch,
    component: lazyRouteComponent(
      () => loadScript(() => import('../payment-links/payment-link.page.tsx')),
      'PaymentLinkPage',
    ),
  }),
  createRoute({
    ...below('refunds'),
    validateSearch: refundFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../refunds/refunds.page.tsx')), 'RefundsPage'),
  }),
  createRoute({
    ...below('customers'),
    validateSearch: customerFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../customers/customers.page.tsx')), 'CustomersPage'),
  }),
  createRoute({
    ...below('customers/$id'),
    component: lazyRouteComponent(() => loadScript(() => import('../customers/customer.page.tsx')), 'CustomerPage'),
  }),
  createRoute({
    ...below('refunds/$reference'),
    component: lazyRouteComponent(() => loadScript(() => import('../payments/refund.page.tsx')), 'RefundPage'),
  }),
  createRoute({
    ...below('transfers'),
    validateSearch: transferFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../transfers/transfers.page.tsx')), 'TransfersPage'),
  }),
  createRoute({
    ...below('transfers/$reference'),
    component: lazyRouteComponent(() => loadScript(() => import('../transfers/transfer.page.tsx')), 'TransferPage'),
  }),
  createRoute({
    ...below('balances'),
    validateSearch: statementFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../balances/balances.page.tsx')), 'BalancesPage'),
  }),
  createRoute({
    ...below('webhooks'),
    component: lazyRouteComponent(() => loadScript(() => import('../webhooks/webhooks.page.tsx')), 'WebhooksPage'),
  }),
  createRoute({
    ...below('webhooks/$id'),
    validateSearch: endpointSearch,
    component: lazyRouteComponent(() => loadScript(() => import('../webhooks/endpoint.page.tsx')), 'EndpointPage'),
  }),
  createRoute({
    ...below('deliveries'),
    validateSearch: deliveryFilters,
    component: lazyRouteComponent(
      () => loadScript(() => import('../deliveries/deliveries.page.tsx')),
      'DeliveriesPage',
    ),
  }),
  createRoute({
    ...below('deliveries/$id'),
    component: lazyRouteComponent(() => loadScript(() => import('../deliveries/delivery.page.tsx')), 'DeliveryPage'),
  }),
  createRoute({
    ...below('events'),
    validateSearch: eventFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../events/events.page.tsx')), 'EventsPage'),
  }),
  createRoute({
    ...below('events/$id'),
    component: lazyRouteComponent(() => loadScript(() => import('../events/event.page.tsx')), 'EventPage'),
  }),
  createRoute({
    ...below('products'),
    validateSearch: productFilters,
    component: lazyRouteComponent(() => loadScript(() => import('../products/products.page.tsx')), 'ProductsPage'),
  }),
  createRoute({
    ...below('developers'),
    component: lazyRouteComponent(
      () => loadScript(() => import('../developers/developers.page.tsx')),
      'DevelopersPage',
    ),
  }),
  createRoute({
    ...below('account'),
    validateSearch: accountSearch,
    component: lazyRouteComponent(() => loadScript(() => import('../account/account.page.tsx')), 'AccountPage'),
  }),
  createRoute({
    ...below('settings'),
    validateSearch: settingsSearch,
    beforeLoad: ({ params, search }) => {
      const tab = movedTabs.find((name) => name === search.tab);
      if (tab) throw redirect({ to: '/$mode/account', params, search: { tab }, replace: true });
    },
    component: lazyRouteComponent(() => loadScript(() => import('../settings/settings.page.tsx')), 'SettingsPage'),
  }),
  createRoute({
    ...below('operator'),
    validateSearch: operatorSearch,
    component: lazyRouteComponent(() => loadScript(() => import('../operator/operator.page.tsx')), 'OperatorPage'),
  }),
] as const;

async function loadHome() {
  await awaitStep();
  return import('../home/home.page.tsx');
}

export const routeTree = root.addChildren([
  start,
  signIn,
  ...forgotten,
  invitation,
  ...withoutMode,
  mode.addChildren(pages),
]);

export const router = createRouter({
  routeTree,
  basepath: `${basePath}/dashboard`,
  context: { queryClient },
  parseSearch: readAddress,
  stringifySearch: writeAddress,
  // A page gets only the search parameters that its route declares.
  search: { strict: true },
  // The router loads the script of a page when the pointer is over a link to the page.
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 60,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NotFound,
  // The router mounts the page again when the mode or the reference in the URL changes, so that a form never
  // sends its content for another record.
  // See docs/decisions/dashboard.md, "A page with other parameters is a new page".
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

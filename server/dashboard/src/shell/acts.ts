import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import type { Payment } from '@tillhook/sdk/session';
import { askFor } from '../app/asked-act.ts';
import { signOut } from '../app/sign-out.ts';
import { useMode } from '../app/use-tillhook.ts';
import { failureWords } from '../kit/failure-words.ts';
import { ArrowRightLeft, CircleUser, type Icon, Link, Plus, Send, Undo2 } from '../kit/icons.tsx';
import { useMayCall } from '../kit/may-call.tsx';
import { modeWords } from '../kit/mode-words.ts';
import { notify } from '../kit/notices.tsx';

export interface Act {
  label: string;
  /** Other words by which the act is found. */
  words: string;
  icon: Icon;
  run: () => void;
}

/** What the user may do from everywhere, by role. */
export function useActs(): Act[] {
  const navigate = useNavigate();
  const params = { mode: useMode() };
  const mayCreate = useMayCall('createCheckout');
  const mayCreateLink = useMayCall('createPaymentLink');
  const maySend = useMayCall('createTransfer');
  const mayAdd = useMayCall('registerWebhookEndpoint');
  const refund = useRefund();
  const switchMode = useModeSwitch();
  const create: Act = {
    label: 'Create a checkout link',
    words: 'new payment request charge',
    icon: Link,
    run: () => {
      askFor('checkout');
      void navigate({ to: '/$mode/payments', params });
    },
  };
  const createLink: Act = {
    label: 'Create a payment link',
    words: 'new reusable qr code donation',
    icon: Link,
    run: () => {
      askFor('payment-link');
      void navigate({ to: '/$mode/payment-links', params });
    },
  };
  const send: Act = {
    label: 'Send money',
    words: 'new create transfer payout',
    icon: Send,
    run: () => {
      askFor('transfer');
      void navigate({ to: '/$mode/transfers', params });
    },
  };
  const add: Act = {
    label: 'Add an endpoint',
    words: 'new create webhook',
    icon: Plus,
    run: () => {
      askFor('endpoint');
      void navigate({ to: '/$mode/webhooks', params });
    },
  };
  return [
    ...(refund ? [refund] : []),
    ...(mayCreate ? [create] : []),
    ...(mayCreateLink ? [createLink] : []),
    ...(maySend ? [send] : []),
    ...(mayAdd ? [add] : []),
    switchMode,
    {
      label: 'Sign out',
      words: 'log out leave',
      icon: CircleUser,
      run: () => {
        signOut().catch((error) => notify(`You may still be signed in. ${failureWords(error).title}.`));
      },
    },
  ];
}

/** Only on the page of a payment of which something can be refunded. */
function useRefund(): Act | null {
  const mode = useMode();
  const client = useQueryClient();
  const mayRefund = useMayCall('createRefund');
  const { reference } = useParams({ strict: false });
  const isPayment = useRouterState({ select: ({ location }) => /\/payments\/[^/]+$/.test(location.pathname) });
  const payment = isPayment ? client.getQueryData<Payment>([mode, 'payments', reference]) : undefined;
  if (!mayRefund || payment?.status !== 'completed' || payment.amountRefunded >= payment.amount) return null;
  return {
    label: 'Refund payment',
    words: `give money back ${payment.reference}`,
    icon: Undo2,
    run: () => askFor('refund'),
  };
}

function useModeSwitch(): Act {
  const other = useMode() === 'test' ? 'live' : 'test';
  const router = useRouter();
  const section = useRouterState({ select: ({ location }) => location.pathname.split('/')[2] ?? '' });
  return {
    label: `Switch to ${modeWords[other]}`,
    words: 'change',
    icon: ArrowRightLeft,
    run: () => void router.navigate({ to: `/${other}/${section}` }),
  };
}

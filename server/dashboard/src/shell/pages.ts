import {
  ArrowLeftRight,
  CircleUser,
  Code,
  CreditCard,
  House,
  Link,
  Package,
  Radio,
  Send,
  Settings,
  ShieldCheck,
  Undo2,
  Users,
  Wallet,
  Webhook,
} from '../kit/icons.tsx';

/** After `g`, the key `key` opens the page. */
export const pageGroups = [
  [{ to: '/$mode', label: 'Home', icon: House, key: 'h' }],
  [
    { to: '/$mode/payments', label: 'Payments', icon: CreditCard, key: 'p' },
    { to: '/$mode/payment-links', label: 'Payment links', icon: Link, key: 'l' },
    { to: '/$mode/refunds', label: 'Refunds', icon: Undo2, key: 'f' },
    { to: '/$mode/customers', label: 'Customers', icon: Users, key: 'c' },
    { to: '/$mode/transfers', label: 'Transfers', icon: ArrowLeftRight, key: 't' },
    { to: '/$mode/balances', label: 'Balances', icon: Wallet, key: 'b' },
    { to: '/$mode/products', label: 'Products', icon: Package, key: 'r' },
  ],
  [
    { to: '/$mode/webhooks', label: 'Webhooks', icon: Webhook, key: 'w' },
    { to: '/$mode/deliveries', label: 'Deliveries', icon: Send, key: 'd' },
    { to: '/$mode/events', label: 'Events', icon: Radio, key: 'e' },
  ],
  [
    { to: '/$mode/developers', label: 'Developers', icon: Code, key: 'v' },
    { to: '/$mode/settings', label: 'Settings', icon: Settings, key: 's' },
  ],
] as const;

export const operatorPage = { to: '/$mode/operator', label: 'Operator', icon: ShieldCheck, key: 'o' } as const;

export const accountPage = { to: '/$mode/account', label: 'Your account', icon: CircleUser, key: 'a' } as const;

export type ShellPage = (typeof pageGroups)[number][number] | typeof operatorPage | typeof accountPage;

export function pageGroupsFor(role: string): (readonly ShellPage[])[] {
  return role === 'operator' ? [...pageGroups, [operatorPage]] : [...pageGroups];
}

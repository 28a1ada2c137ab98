import {
  ArrowLeftRight,
  Code,
  CreditCard,
  House,
  Package,
  Radio,
  Send,
  Settings,
  ShieldCheck,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { NavigationLink } from '../kit/links.tsx';
import classes from './navigation.module.css';

const groups = [
  [{ to: '/$mode', label: 'Home', icon: House }],
  [
    { to: '/$mode/payments', label: 'Payments', icon: CreditCard },
    { to: '/$mode/transfers', label: 'Transfers', icon: ArrowLeftRight },
    { to: '/$mode/balances', label: 'Balances', icon: Wallet },
    { to: '/$mode/products', label: 'Products', icon: Package },
  ],
  [
    { to: '/$mode/webhooks', label: 'Webhooks', icon: Webhook },
    { to: '/$mode/deliveries', label: 'Deliveries', icon: Send },
    { to: '/$mode/events', label: 'Events', icon: Radio },
  ],
  [
    { to: '/$mode/developers', label: 'Developers', icon: Code },
    { to: '/$mode/settings', label: 'Settings', icon: Settings },
  ],
] as const;

/** The way to every page, and for an operator of the service the way to theirs. */
export function Navigation(): ReactNode {
  const mode = useMode();
  const { user } = useSession();
  const own =
    user.role === 'operator' ? [[{ to: '/$mode/operator', label: 'Operator', icon: ShieldCheck } as const]] : [];
  return (
    <nav aria-label="Pages">
      {[...groups, ...own].map((group) => (
        <ul key={group[0].to} className={classes.group}>
          {group.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavigationLink
                to={to}
                params={{ mode }}
                activeOptions={{ exact: to === '/$mode', includeSearch: false }}
                label={label}
                leftSection={<Icon size={16} aria-hidden />}
                className={classes.link}
              />
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

import type { ReactNode } from 'react';
import { basePath } from '../app/base.ts';
import { useSession } from '../app/session.ts';
import { useMode } from '../app/use-tillhook.ts';
import { NavigationLink } from '../kit/links.tsx';
import classes from './navigation.module.css';
import { pageGroupsFor } from './pages.ts';

export function Navigation(): ReactNode {
  const mode = useMode();
  const { user } = useSession();
  return (
    <nav aria-label="Pages">
      {pageGroupsFor(user.role).map((group) => (
        <ul key={group[0]?.to} className={classes.group}>
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
      <a className={classes.docs} href={`${basePath}/docs`}>
        Documentation
      </a>
    </nav>
  );
}

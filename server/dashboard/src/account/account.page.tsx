import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../app/session.ts';
import { signInWays } from '../app/sign-in-ways.ts';
import { Page } from '../kit/page.tsx';
import { type PageTab, PageTabs } from '../kit/page-tabs.tsx';
import type { accountTabs } from './account-search.ts';
import { ChangePassword } from './change-password.tsx';
import { CompanyAccount } from './company-account.tsx';
import { Notifications } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { TwoStep } from './two-step.tsx';

const tabs = {
  'sign-in': { label: 'Sign-in', content: SignIn },
  sessions: { label: 'Sessions', content: Sessions },
  notifications: { label: 'Notifications', content: Notifications },
  profile: { label: 'Profile', content: Profile },
} as const satisfies Record<(typeof accountTabs)[number], PageTab>;

/** What belongs to the user who is signed in, whatever their role. What belongs to the merchant is in Settings. */
export function AccountPage(): ReactNode {
  const { tab = 'sign-in' } = useSearch({ from: '/$mode/account' });
  const navigate = useNavigate({ from: '/$mode/account' });
  const { user } = useSession();
  return (
    <Page
      title="Your account"
      windowTitle={`${tabs[tab].label} · Your account`}
      about={
        <>
          You are signed in as <bdi>{user.email}</bdi>. These settings are yours alone, and the same in test and live
          mode.
        </>
      }
    >
      <PageTabs
        label="Your account"
        tabs={tabs}
        shown={tab}
        onShow={(name) => void navigate({ search: { tab: name } })}
      />
    </Page>
  );
}

export function SignIn(): ReactNode {
  const { proof } = useSession().user;
  return (
    <>
      <Passkeys />
      <TwoStep />
      {(signInWays.password || proof === 'password') && <ChangePassword />}
      <CompanyAccount />
    </>
  );
}

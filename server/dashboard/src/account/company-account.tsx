import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { signInWays } from '../app/sign-in-ways.ts';
import { useMode } from '../app/use-tillhook.ts';
import { Section } from '../kit/section.tsx';
import { CompanyButton } from '../sign-in/company-sign-in.tsx';

/** A first company sign-in from here shows that the user is the same person, so that the password stays. */
export function CompanyAccount(): ReactNode {
  const mode = useMode();
  if (!signInWays.company) return null;
  return (
    <Section
      title="Company account"
      about="Continue once from here to connect the company account that has your email address. You can then sign in with it. Your other ways to sign in still work."
    >
      <Group>
        <CompanyButton from={`/${mode}/account`} />
      </Group>
    </Section>
  );
}

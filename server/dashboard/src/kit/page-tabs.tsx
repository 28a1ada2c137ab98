import { Stack, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

export type PageTab = Readonly<{ label: string; content: () => ReactNode }>;

interface PageTabsProps<Name extends string> {
  label: string;
  tabs: Readonly<Record<Name, PageTab>>;
  shown: Name;
  /** Receives `undefined` for the first tab, so that the URL of a page names only the other tabs. */
  onShow: (name: Name | undefined) => void;
}

export function PageTabs<Name extends string>({ label, tabs, shown, onShow }: PageTabsProps<Name>): ReactNode {
  const names = Object.keys(tabs) as Name[];
  const show = (value: string | null) => onShow(names.find((name) => name === value && name !== names[0]));
  return (
    <Tabs value={shown} onChange={show} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {tabs[name].label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => {
        const Content = tabs[name].content;
        return (
          <Tabs.Panel key={name} value={name} pt="md">
            <Stack gap="lg">
              <Content />
            </Stack>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

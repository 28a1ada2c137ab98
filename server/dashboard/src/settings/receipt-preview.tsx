import { NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { basePath } from '../app/base.ts';
import { useRead } from '../app/use-read.ts';
import { Loaded } from '../kit/loaded.tsx';
import { Section } from '../kit/section.tsx';
import classes from './receipt-preview.module.css';

const languages = [
  { value: 'en', label: 'English' },
  { value: 'ar', label: 'Arabic' },
  { value: 'fr', label: 'French' },
  { value: 'de', label: 'German' },
  { value: 'pt', label: 'Portuguese' },
  { value: 'es', label: 'Spanish' },
] as const;

type Language = (typeof languages)[number]['value'];

export function ReceiptPreview(): ReactNode {
  const [language, setLanguage] = useState<Language>('en');
  const preview = useRead({
    key: ['settings', 'receipt', language],
    read: (tillhook, options) => tillhook.settings.previewReceipt({ language }, options),
    keepsPrevious: true,
  });
  return (
    <Section title="Preview of the receipt" about="An example payment, with your saved name, logo and colour.">
      <NativeSelect
        label="Language"
        maw={260}
        data={[...languages]}
        value={language}
        onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
      />
      <Loaded read={preview}>
        {({ subject, url }) => (
          <>
            <Text size="sm">
              Subject: <bdi>{subject}</bdi>
            </Text>
            <iframe className={classes.mail} src={framed(url)} sandbox="" title="Receipt as the customer sees it" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** The policy of the dashboard allows only frames of the same origin, which may differ from the public URL. */
function framed(url: string): string {
  const { pathname, search } = new URL(url);
  return `${basePath}${pathname.slice(pathname.indexOf('/mails/'))}${search}`;
}

import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Settings } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';

/** A setting that is null becomes an empty string. */
export type HelpValues = Record<'termsUrl' | 'supportUrl' | 'supportEmail' | 'statementName', string>;

export function helpValuesOf({ termsUrl, supportUrl, supportEmail, statementName }: Settings): HelpValues {
  return {
    termsUrl: termsUrl ?? '',
    supportUrl: supportUrl ?? '',
    supportEmail: supportEmail ?? '',
    statementName: statementName ?? '',
  };
}

/** An empty field is sent as null, which clears the stored value. */
export function helpOf({ termsUrl, supportUrl, supportEmail, statementName }: HelpValues) {
  return {
    termsUrl: termsUrl.trim() || null,
    supportUrl: supportUrl.trim() || null,
    supportEmail: supportEmail.trim() || null,
    statementName: statementName.trim() || null,
  };
}

interface HelpFieldsProps<Values extends HelpValues> {
  form: UseFormReturnType<Values>;
  problems: Readonly<Record<string, string>>;
  disabled: boolean;
  readOnly: boolean;
}

export function HelpFields<Values extends HelpValues>({
  form,
  problems,
  ...states
}: HelpFieldsProps<Values>): ReactNode {
  return fields.map(({ name, ...field }) => (
    <TextInput key={name} {...field} {...states} {...form.getInputProps(name)} error={problems[name]} />
  ));
}

const fields = [
  {
    name: 'termsUrl',
    label: 'Terms of service',
    description: 'An https address, shown at the bottom of the page as “Terms”.',
    placeholder: 'https://shop.example.com/terms',
    inputMode: 'url',
    maxLength: 2048,
  },
  {
    name: 'supportUrl',
    label: 'Support website',
    description: 'An https address, shown at the bottom of the page as “Contact” with your name.',
    placeholder: 'https://shop.example.com/help',
    inputMode: 'url',
    maxLength: 2048,
  },
  {
    name: 'supportEmail',
    label: 'Support email',
    description: 'Shown at the bottom of the page.',
    placeholder: 'help@shop.example.com',
    inputMode: 'email',
    maxLength: 254,
  },
  {
    name: 'statementName',
    label: 'Statement descriptor',
    description:
      'What customers see on their bank statement and receipt: 5 to 22 Latin letters, digits, spaces, dots, hyphens and asterisks.',
    placeholder: 'ADAS BOOKS',
    maxLength: 22,
  },
] as const;

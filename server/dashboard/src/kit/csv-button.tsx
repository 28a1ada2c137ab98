import { Button, type ButtonProps } from '@mantine/core';
import type { TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Failure } from './failure.tsx';
import { Download } from './icons.tsx';
import { toLocal } from './local-moment.ts';
import { type ServiceMutation, useServiceMutation } from './use-service-mutation.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Csv {
  /** The beginning of the file name; the mode and the date follow. */
  file: string;
  read: (tillhook: TillhookSession) => Promise<ReadableStream<Uint8Array>>;
}

export const csvLabel = 'Export CSV';

export function CsvButton(csv: Csv): ReactNode {
  const saving = useCsv(csv);
  return (
    <>
      <SaveButton saving={saving} file={csv.file} />
      <CsvFailure saving={saving} />
    </>
  );
}

interface SaveButtonProps extends ButtonProps {
  saving: ServiceMutation<string>;
  file: string;
}

export function SaveButton({ saving, file, ...look }: SaveButtonProps): ReactNode {
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      loading={saving.isBusy}
      title="Times in the file are in UTC"
      onClick={() => saving.mutate(file)}
      {...look}
    >
      {csvLabel}
    </Button>
  );
}

export function CsvFailure({ saving }: { saving: ServiceMutation<string> }): ReactNode {
  return saving.error && <Failure error={saving.error} onTryAgain={saving.again} />;
}

/** The mutation saves the list as a file whose name begins with the given text. */
export function useCsv({ read }: Pick<Csv, 'read'>): ServiceMutation<string> {
  const mode = useMode();
  return useServiceMutation({
    // TypeScript allows a SharedArrayBuffer behind these bytes, but a response never uses one.
    mutate: async (tillhook, _file: string) => new Response((await read(tillhook)) as ReadableStream<Bytes>).blob(),
    onAnswer: (content, file) => save(content, `${file}-${mode}-${toLocal(new Date().toISOString()).slice(0, 10)}.csv`),
  });
}

/** A plain link cannot send the headers that the service needs. */
function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers begin to read the blob only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

import { Button } from '@mantine/core';
import type { TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Failure } from './failure.tsx';
import { Download } from './icons.tsx';
import { toLocal } from './local-moment.ts';
import { useServiceMutation } from './use-service-mutation.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface CsvButtonProps {
  /** The beginning of the file name; the mode and the date follow. */
  file: string;
  read: (tillhook: TillhookSession) => Promise<ReadableStream<Uint8Array>>;
}

export function CsvButton({ file, read }: CsvButtonProps): ReactNode {
  const saving = useServiceMutation({
    // TypeScript allows a SharedArrayBuffer behind these bytes, but a response never uses one.
    mutate: async (tillhook, _file: string) => new Response((await read(tillhook)) as ReadableStream<Bytes>).blob(),
    onAnswer: (content, name) => save(content, `${name}-${toLocal(new Date().toISOString()).slice(0, 10)}.csv`),
  });
  const mode = useMode();
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        loading={saving.isBusy}
        title="Times in the file are in UTC"
        onClick={() => saving.mutate(`${file}-${mode}`)}
      >
        Save as CSV
      </Button>
      {saving.error && <Failure error={saving.error} onTryAgain={saving.again} />}
    </>
  );
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

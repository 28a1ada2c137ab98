import { Button } from '@mantine/core';
import type { TillhookSession } from '@tillhook/sdk/session';
import type { ReactNode } from 'react';
import { useMode } from '../app/use-tillhook.ts';
import { Failure } from './failure.tsx';
import { Download } from './icons.tsx';
import { useServiceMutation } from './use-service-mutation.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface CsvButtonProps {
  /** The beginning of the file's name, before the mode and the day: "payments". */
  file: string;
  read: (tillhook: TillhookSession) => Promise<ReadableStream<Uint8Array>>;
}

/** Saves all records that the filters of the page choose, as a CSV file. */
export function CsvButton({ file, read }: CsvButtonProps): ReactNode {
  const saving = useServiceMutation({
    // The bytes of an answer are never in shared memory, which the type allows for the sake of older compilers.
    mutate: async (tillhook, _file: string) => new Response((await read(tillhook)) as ReadableStream<Bytes>).blob(),
    onAnswer: (content, name) => save(content, `${name}-${new Date().toISOString().slice(0, 10)}.csv`),
  });
  const mode = useMode();
  return (
    <>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        loading={saving.isBusy}
        onClick={() => saving.mutate(`${file}-${mode}`)}
      >
        Save as CSV
      </Button>
      {saving.error && <Failure error={saving.error} onTryAgain={saving.again} />}
    </>
  );
}

/** The calls to the service need headers, which a link cannot send. So the file is read first, and then saved. */
function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers begin to read the file only after this function has ended.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

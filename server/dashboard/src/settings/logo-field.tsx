import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import type { Settings } from '@tillhook/sdk/session';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { fieldProblems } from '../kit/field-problems.ts';
import { isolated } from '../kit/locale.ts';
import { useMayCall } from '../kit/may-call.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';
import classes from './logo-field.module.css';

const maxBytes = 256 * 1024;
const changes = ['settings', 'audit'];

/** The logo is uploaded or removed at once, without the button that saves the rest of the form. */
export function LogoField({ logoUrl }: Pick<Settings, 'logoUrl'>): ReactNode {
  const mayChange = useMayCall('uploadLogo');
  const id = useId();
  const resetFile = useRef<() => void>(null);
  const [wrongSize, setWrongSize] = useState<string | null>(null);
  /** The chosen file as a data URL, while the file is being uploaded. */
  const [chosen, setChosen] = useState<string | null>(null);
  const uploading = useServiceMutation({
    mutate: (tillhook, dataUrl: string) =>
      tillhook.settings.uploadLogo({ image: dataUrl.slice(dataUrl.indexOf(',') + 1) }),
    changes,
    onAnswer: () => void notify('Logo saved.'),
  });
  const removing = useServiceMutation({
    mutate: (tillhook) => tillhook.settings.removeLogo(),
    changes,
    onAnswer: () => void notify('Logo removed.'),
  });
  const choose = async (file: File | null) => {
    resetFile.current?.();
    if (!file) return;
    uploading.reset();
    removing.reset();
    const unfit = sizeProblem(file);
    setWrongSize(unfit);
    if (unfit !== null) return;
    const dataUrl = await readFile(file);
    setChosen(dataUrl);
    uploading.mutate(dataUrl);
  };
  const shown = uploading.isBusy ? chosen : logoUrl && pathOf(logoUrl);
  const problem = wrongSize ?? fieldProblems(uploading.error).image;
  const failed = problem === undefined ? [uploading, removing].find(({ error }) => error !== null) : undefined;
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      labelProps={{ id }}
      description="PNG, JPEG or WebP, at most 256 KiB, 4,096 pixels a side and 4 million pixels in all. Without one, the page shows the first letter of your name."
      error={problem}
      errorProps={{ role: 'alert' }}
    >
      <Group gap="sm" mt="xs" role="group" aria-labelledby={id}>
        {shown ? (
          <img className={classes.logo} src={shown} alt="The logo" />
        ) : (
          <Text size="sm" c="dimmed">
            No logo
          </Text>
        )}
        {mayChange && (
          <FileButton
            resetRef={resetFile}
            onChange={(file) => void choose(file)}
            accept="image/png,image/jpeg,image/webp"
          >
            {(props) => (
              <Button {...props} variant="default" loading={uploading.isBusy} disabled={removing.isBusy}>
                {logoUrl ? 'Replace logo' : 'Upload logo'}
              </Button>
            )}
          </FileButton>
        )}
        {mayChange && logoUrl && (
          <Button
            variant="default"
            loading={removing.isBusy}
            disabled={uploading.isBusy}
            onClick={() => removing.mutate(undefined)}
          >
            Remove
          </Button>
        )}
      </Group>
      {failed?.error && <Failure error={failed.error} onTryAgain={failed.again} />}
    </Input.Wrapper>
  );
}

/** The path of the logo is enough, because the service serves the logo and the dashboard from the same origin. */
export function pathOf(logoUrl: string): string {
  return new URL(logoUrl).pathname;
}

function sizeProblem({ name, size }: File): string | null {
  if (size === 0) return `${isolated(name)} is empty.`;
  return size > maxBytes ? `${isolated(name)} has ${Math.ceil(size / 1024)} KiB. The limit is 256 KiB.` : null;
}

function readFile(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

import { Button, Group } from '@mantine/core';
import { QRCodeCanvas } from 'qrcode.react';
import { type ReactNode, useRef } from 'react';
import { Download } from '../kit/icons.tsx';
import classes from './link-qr.module.css';

/** In pixels of the picture that is downloaded, enough for a poster. The page shows it smaller. */
const size = 1024;

/** The QR code is black on white with a margin, even in dark mode, because cameras need this contrast. */
export function LinkQr({ url, fileName }: { url: string; fileName: string }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const download = () => {
    const anchor = document.createElement('a');
    anchor.href = canvas.current?.toDataURL('image/png') ?? '';
    anchor.download = `${fileName}.png`;
    anchor.click();
  };
  return (
    <Group gap="md" align="flex-end">
      <QRCodeCanvas
        ref={canvas}
        className={classes.code}
        value={url}
        size={size}
        marginSize={4}
        level="M"
        role="img"
        aria-label="QR code of the link"
      />
      <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={download}>
        Download QR code
      </Button>
    </Group>
  );
}

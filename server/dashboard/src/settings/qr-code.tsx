import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';

/** Black on white with a margin, also in dark mode, because cameras need it. */
export function QrCode({ uri }: { uri: string }): ReactNode {
  return (
    <QRCodeSVG value={uri} size={200} marginSize={4} title="The secret as a picture, for the camera of your phone" />
  );
}

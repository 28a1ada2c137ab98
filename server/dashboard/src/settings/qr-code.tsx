import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';

/** Black on white with its margin, also in the dark: cameras need it so. */
export function QrCode({ uri }: { uri: string }): ReactNode {
  return (
    <QRCodeSVG value={uri} size={200} marginSize={4} title="The secret as a picture, for the camera of your phone" />
  );
}

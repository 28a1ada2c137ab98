import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';

/** The QR code is black on white with a margin, even in dark mode, because cameras need this contrast. */
export function QrCode({ uri }: { uri: string }): ReactNode {
  return <QRCodeSVG value={uri} size={200} marginSize={4} title="QR code of the secret, for your authenticator app" />;
}

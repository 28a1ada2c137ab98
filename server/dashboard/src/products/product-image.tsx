import { Image } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { ImageOff } from '../kit/icons.tsx';
import classes from './product-image.module.css';

interface ProductImageProps {
  address: string | null;
  size: number;
  onFailure?: () => void;
  onLoaded?: () => void;
}

/** Screen readers skip the image, because the name of the product is beside it. */
export function ProductImage({ address, size, onFailure, onLoaded }: ProductImageProps): ReactNode {
  const [hasFailed, setHasFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tries to load the image again whenever the URL changes.
  useEffect(() => setHasFailed(false), [address]);
  if (address === null || hasFailed || !canBeShown(address)) {
    return (
      <span className={classes.none} style={{ width: size, height: size }}>
        <ImageOff size={size / 2.5} aria-hidden />
      </span>
    );
  }
  return (
    <Image
      className={classes.image}
      src={address}
      alt=""
      w={size}
      h={size}
      fit="cover"
      radius="sm"
      loading="lazy"
      referrerPolicy="no-referrer"
      onLoad={onLoaded}
      onError={() => {
        setHasFailed(true);
        onFailure?.();
      }}
    />
  );
}

/** The Content-Security-Policy of the dashboard allows images over https and from this server. */
export function canBeShown(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' || origin === location.origin;
}

/** Mantine's links and buttons that navigate within the dashboard, typed by the router. */
import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native<Props> = Omit<ComponentPropsWithRef<'a'>, keyof Props>;

const PlainAnchor = (props: AnchorProps & Native<AnchorProps>) => <Anchor size="sm" {...props} />;
const PlainButton = (props: ButtonProps & Native<ButtonProps>) => <Button component="a" {...props} />;
const PlainNavLink = (props: NavLinkProps & Native<NavLinkProps>) => <NavLink {...props} />;

export const AnchorLink: LinkComponent<typeof PlainAnchor> = createLink(PlainAnchor);
export const ButtonLink: LinkComponent<typeof PlainButton> = createLink(PlainButton);
export const NavigationLink: LinkComponent<typeof PlainNavLink> = createLink(PlainNavLink);

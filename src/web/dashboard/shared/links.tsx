import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type LinkAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & {
  readonly ref?: Ref<HTMLAnchorElement>;
};

/** A link within text. */
export const TextLink = createLink(function TextLink(props: AnchorProps & LinkAttributes) {
  return <Anchor {...props} />;
});

export const ButtonLink = createLink(function ButtonLink(props: ButtonProps & LinkAttributes) {
  return <Button component="a" {...props} />;
});

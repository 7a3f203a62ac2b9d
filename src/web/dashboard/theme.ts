import {
  createTheme,
  type AnchorProps,
  type MantineColorsTuple,
  type MenuProps,
  type ModalHeaderProps,
  type ModalTitleProps,
  type NotificationProps,
} from '@mantine/core';
import { messages } from '../ui/messages';

const brand: MantineColorsTuple = [
  '#eef0ff',
  '#dde1fb',
  '#bac1f2',
  '#949fea',
  '#7481e3',
  '#5f6edf',
  '#4c5edb',
  '#3b4fd8',
  '#3044b8',
  '#26379a',
];

/** Text, borders and backgrounds of the dark theme, from light to dark. */
const dark: MantineColorsTuple = [
  '#e4e8ee',
  '#c3cad4',
  '#a7b1bf',
  '#929dac',
  '#3a424e',
  '#303742',
  '#262c35',
  '#1b1f26',
  '#15181e',
  '#101318',
];

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  colors: { brand, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, monospace",
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By name: the components themselves load with the pages that use them.
  components: {
    // A link has the size of the surrounding text.
    Anchor: withDefaults<AnchorProps>({ inherit: true }),
    // Focus the first item: Mantine's focus placeholder is not a valid child of a menu for axe.
    Menu: withDefaults<MenuProps>({ withInitialFocusPlaceholder: false }),
    ModalTitle: withDefaults<ModalTitleProps>({ fw: 650 }),
    Notification: withDefaults<NotificationProps>({
      closeButtonProps: { 'aria-label': messages.close },
    }),
    // The header of a dialog is not the page's banner landmark.
    ModalHeader: withDefaults<ModalHeaderProps & { readonly role: string }>({ role: 'presentation' }),
  },
});

function withDefaults<Props>(defaultProps: Partial<Props>): { readonly defaultProps: Partial<Props> } {
  return { defaultProps };
}

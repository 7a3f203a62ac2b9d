import { Anchor, createTheme, Menu, Modal, Notification, type MantineColorsTuple } from '@mantine/core';
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

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  colors: { brand },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, monospace",
  headings: { fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    // A link has the size of the surrounding text.
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    // Focus the first item: Mantine's focus placeholder is not a valid child of a menu for axe.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    ModalTitle: Modal.Title.extend({ defaultProps: { fw: 650 } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': messages.close } },
    }),
    // The header of a dialog is not the page's banner landmark.
    ModalHeader: Modal.Header.extend({ defaultProps: { role: 'presentation' } }),
  },
});

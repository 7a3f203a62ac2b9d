import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setNonce } from 'get-nonce';
import { locale } from '../ui/language';
import { App } from './app';
import { takeEarlyAnswers } from './boot/early-requests';
import { sendChosenMode } from './mode';

const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The scroll lock of dialogs reads its style nonce from this package.
setNonce(styleNonce);
sendChosenMode();
takeEarlyAnswers();
document.documentElement.lang = locale;

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App styleNonce={styleNonce} />
  </StrictMode>,
);

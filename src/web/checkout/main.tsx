import '@fontsource-variable/inter/wght.css';
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { locale } from '../ui/language';
import { offer } from './page-data';
import { applyBrand } from './brand';
import { Checkout } from './checkout';
import { TestRibbon } from './ui/test-ribbon';

document.documentElement.lang = locale;
if (offer !== null) applyBrand(offer.company);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <TestRibbon />
    <Checkout />
  </StrictMode>,
);

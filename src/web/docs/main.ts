import { addCopyButtons, rememberLanguage } from './samples';
import { startSearch } from './search';

rememberLanguage();
addCopyButtons();
startSearch();

// The menu stands beside the text where there is room.
const menu = document.querySelector<HTMLDetailsElement>('details.menu');
const isWide = matchMedia('(min-width: 60rem)');
const showMenu = (): void => {
  if (menu !== null) menu.open = isWide.matches;
};
showMenu();
isWide.addEventListener('change', showMenu);
// A link within the page must not leave the menu over it.
menu?.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement) showMenu();
});

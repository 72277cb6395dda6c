/** Parts of VitePress's theme that exclude readers, and what replaces them. */
const REPAIRS: Readonly<Record<string, readonly (readonly [broken: string, repaired: string])[]>> = {
  // The search is a dialog, not a button, and its results are links, not options.
  "VPLocalSearchBox.vue": [
    [
      `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
      'role="dialog" aria-modal="true" aria-label="Search"',
    ],
    [`:aria-activedescendant="selectedIndex > -1 ? ('localsearch-item-' + selectedIndex) : undefined"`, ""],
    ['aria-autocomplete="both"', ""],
    [`:role="results?.length ? 'listbox' : undefined"`, ""],
    [`:aria-selected="selectedIndex === index ? 'true' : 'false'"\n            role="option"`, ""],
    [`:aria-label="[...p.titles, p.title].join(' > ')"`, ""],
    ...["navigateUp", "navigateDown", "select", "close"].map(
      (key) => [`<kbd :aria-label="translate('modal.footer.${key}KeyAriaLabel')">`, "<kbd>"] as const,
    ),
  ],
  "VPHome.vue": [['class="VPHome"', 'role="main" class="VPHome"']],
  // Its name is what it shows. The keys are a hint for those who see it.
  "VPNavBarSearchButton.vue": [
    [`:aria-label="translate('button.buttonAriaLabel')"`, ""],
    ['<span class="DocSearch-Button-Keys">', '<span class="DocSearch-Button-Keys" aria-hidden="true">'],
  ],
};

/** Repairs the components of VitePress's theme. */
export const accessibleTheme = {
  name: "accessible-theme",
  enforce: "pre" as const,
  transform(code: string, file: string): string | undefined {
    const repairs = REPAIRS[/[^/]*\.vue$/.exec(file)?.[0] ?? ""];
    return repairs?.reduce((text, [broken, repaired]) => {
      if (!text.includes(broken))
        throw new Error(`${file} has no longer the code that accessible-theme.ts repairs: ${broken}`);
      return text.replace(broken, repaired);
    }, code);
  },
};

/** An entry of the navigation, as VitePress reads it. */
export interface SidebarItem {
  readonly text: string;
  readonly link: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** Returns a navigation whose entry for a page lists what the page contains. */
export function withOpen(groups: readonly SidebarItem[], open: SidebarItem): readonly SidebarItem[] {
  return groups.map((group) => ({
    ...group,
    items: (group.items ?? []).map((each) => (each.link === open.link ? { ...open, collapsed: false } : each)),
  }));
}

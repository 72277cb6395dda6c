const KEY = "billing-mock password";

/** Stores the password of the control API until the browser tab is closed. */
export const password = {
  get isSet(): boolean {
    return sessionStorage.getItem(KEY) !== null;
  },

  set(text: string): void {
    sessionStorage.setItem(KEY, text);
  },

  forget(): void {
    sessionStorage.removeItem(KEY);
  },

  /** The headers that send it. They are UTF-8 in Base64, because a header cannot contain other characters. */
  get headers(): Record<string, string> {
    const text = sessionStorage.getItem(KEY);
    if (text === null) return {};
    const bytes = new TextEncoder().encode(`inspector:${text}`);
    return { Authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
  },
};

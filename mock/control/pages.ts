/** A file that the control interface serves. */
export interface Page {
  /** The media type, with its charset. */
  readonly type: string;
  readonly text: string;
}

/** Makes a file when it is first asked for. */
export type PageSource = () => Page | Promise<Page>;

/** The files of the control interface, by their path below `/__mock`. The first one is the inspector. */
export const pages: Readonly<Record<string, PageSource>> = {};

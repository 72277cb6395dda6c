import type {
  CommentDisplayPart,
  DeclarationReflection,
  DocumentReflection,
  ProjectReflection,
  Reflection,
} from "typedoc";
import type { Guide } from "./guides.ts";
import type { OperationDocs } from "./operations/operation-docs.ts";
import type { SiteVersion } from "./versions.ts";

/** A guide with its page. */
export interface GuidePage extends Guide {
  readonly page: DocumentReflection;
  /** The URL of the page, from the start page of its version. */
  readonly url: string;
}

/** Guides under one heading, with their pages. */
export interface GuidePages {
  readonly title: string;
  readonly guides: readonly GuidePage[];
}

/** An operation with the method of the client that calls it. */
export interface OperationPage extends OperationDocs {
  readonly member: DeclarationReflection;
}

/** Everything that the pages of one version show in addition to TypeDoc's own content. */
export interface SiteModel {
  readonly version: SiteVersion;
  readonly project: ProjectReflection;
  /** The beginning of the README, for the start page. */
  readonly intro: readonly CommentDisplayPart[];
  readonly guides: readonly GuidePages[];
  readonly operations: readonly OperationPage[];
  /** The page of the playground. */
  readonly playground: DocumentReflection;
  /** The page of the rules and assumptions. */
  readonly rules: DocumentReflection;
  readonly ruleIds: ReadonlySet<string>;
  /** What inline code in a guide refers to, by its text: `createClient`, `billing.events.ingest`. */
  readonly symbols: ReadonlyMap<string, Reflection>;
  /** The guides that explain an export, the best first. */
  readonly guidesFor: (reflection: Reflection) => readonly GuidePage[];
  /** The import path of a module, by its reflection. */
  readonly importPaths: ReadonlyMap<Reflection, string>;
}

/** The pages of each version, by the name of the version: their URLs from the start page of the version. */
export type PagesByVersion = ReadonlyMap<string, ReadonlySet<string>>;

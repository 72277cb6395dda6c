import type { FieldKind } from "./shape.ts";

/** Whether a setting is a group: an object whose fields can be set one at a time. */
type IsGroup<Setting> = [Setting] extends [readonly unknown[] | ((...args: never) => unknown)]
  ? false
  : [Setting] extends [object]
    ? string extends keyof Setting
      ? false
      : true
    : false;

/** A setting that consists of several fields; fields that are left out keep their defaults. */
export interface GroupKind<Group = object> {
  readonly group: Readonly<Record<keyof Group & string, FieldKind>>;
}

/** The valid values of each setting of a policy. A module defines them next to the policy that it applies. */
export type PolicyFields<Policy> = {
  readonly [Name in keyof Policy]-?: IsGroup<Policy[Name]> extends true ? GroupKind<Policy[Name]> : FieldKind;
};

/** A policy of which any setting may be left out, including single fields of a group. */
export type PartialPolicy<Policy> = {
  readonly [Name in keyof Policy]?:
    | (IsGroup<Policy[Name]> extends true ? Partial<Policy[Name]> : Policy[Name])
    | undefined;
};

import { useState } from "preact/hooks";

const values = new Map<string, unknown>();

/** Like `useState`, but the value is restored when the user returns to the tab. */
export function useTabState<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(values.has(key) ? (values.get(key) as Value) : initial);
  const save = (next: Value) => {
    values.set(key, next);
    setValue(() => next);
  };
  return [value, save];
}

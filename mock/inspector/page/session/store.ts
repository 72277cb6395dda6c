import { useEffect, useState } from "preact/hooks";

/** Holds a state and notifies listeners of changes. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State) => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  update(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Calls the listener after every update. Returns a function that unsubscribes it. */
  subscribe(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Returns the state of a store, and renders the component again when it changes. */
export function useStore<State extends object>(store: Store<State>): State {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.subscribe(setState);
  }, [store]);
  return state;
}

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

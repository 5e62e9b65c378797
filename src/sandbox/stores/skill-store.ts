export interface SkillStore {
  add(content: string, skills: readonly string[]): void;
  /** Removing what isn't there changes nothing. */
  remove(content: string, skills: readonly string[]): void;
  /** In the order in which they were added. */
  of(content: string): readonly string[];
  reset(): void;
}

export function createSkillStore(): SkillStore {
  const contents = new Map<string, Set<string>>();
  return {
    add(content, skills) {
      const known = contents.get(content) ?? new Set();
      for (const skill of skills) known.add(skill);
      contents.set(content, known);
    },
    remove(content, skills) {
      for (const skill of skills) contents.get(content)?.delete(skill);
    },
    of: (content) => [...(contents.get(content) ?? [])],
    reset: () => contents.clear(),
  };
}

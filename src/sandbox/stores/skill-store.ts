export type SkillStore = ReturnType<typeof createSkillStore>;

export function createSkillStore() {
  const contents = new Map<string, Set<string>>();
  return {
    add(content: string, skills: readonly string[]) {
      const holders = contents.get(content) ?? new Set();
      for (const skill of skills) holders.add(skill);
      contents.set(content, holders);
    },
    remove(content: string, skills: readonly string[]) {
      for (const skill of skills) contents.get(content)?.delete(skill);
    },
    /** In the order in which they were added. */
    of: (content: string) => [...(contents.get(content) ?? [])],
  };
}

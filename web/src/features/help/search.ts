import type { Topic } from "./topics";

/** The topics with those questions that hold every word of `search`, in the question or its answer. */
export function searchTopics(topics: Topic[], search: string): Topic[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return topics;
  return topics.flatMap((topic) => {
    const questions = topic.questions.filter(({ question, answer }) => {
      const text = `${topic.title} ${question} ${answer}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return questions.length > 0 ? [{ ...topic, questions }] : [];
  });
}

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Textarea } from "@/components/ui/field";
import { isBlank } from "@/lib/text/visible-text";
import type { Words } from "@/shop/variations/idea";

interface WordsFormProps {
  /** Without an idea of its own: the words say what becomes of a photo. */
  isPhoto: boolean;
  words: Words;
  disabled: boolean;
  onDraw: (words: Words) => void;
}

/** Other words for the same style and colours. */
export function WordsForm({ isPhoto, words, disabled, onDraw }: WordsFormProps) {
  const [about, setAbout] = useState(words.about);
  const [typography, setTypography] = useState(words.typography);
  const isMissing = !isPhoto && isBlank(about);
  return (
    <form
      noValidate
      className="flex max-w-xl flex-col gap-4 rounded-card border border-line bg-raised p-4 sm:p-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMissing) onDraw({ about, typography });
      }}
    >
      <Field
        label={isPhoto ? "Instructions" : "Your idea"}
        hint="Style and colors stay as they are."
        error={isMissing ? "Describe your idea first: a few words are enough." : undefined}
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={3}
            maxLength={isPhoto ? 1000 : 1500}
            value={about}
            onChange={(event) => setAbout(event.target.value)}
          />
        )}
      </Field>
      <Field label="Text on the shirt" hint="Leave it empty for none.">
        {(ids) => (
          <Input
            {...ids}
            maxLength={80}
            value={typography}
            onChange={(event) => setTypography(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" disabled={disabled || isMissing} className="self-start">
        Draw it with these words
      </Button>
    </form>
  );
}

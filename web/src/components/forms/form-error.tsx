/** What stands against a form as a whole; announced when it appears. */
export function FormError({ message }: { message: string | undefined }) {
  return (
    <p role="alert" className="text-sm font-medium text-tomato-text empty:hidden">
      {message}
    </p>
  );
}

export function AuthError({ message }: { message: string | undefined }) {
  return (
    <p role="alert" className="text-sm font-medium text-tomato-text empty:hidden">
      {message}
    </p>
  );
}

/** Who may open the admin page: whose profile says so, and the addresses that the shop's settings name. */

interface Visitor {
  email: string | undefined;
  isAdmin: boolean;
}

export function mayOpenAdmin({ email, isAdmin }: Visitor, adminEmails: string): boolean {
  if (isAdmin) return true;
  const own = email?.trim().toLowerCase();
  if (!own) return false;
  return adminEmails.split(",").some((address) => address.trim().toLowerCase() === own);
}

import { useNavigate } from "react-router-dom";
import { useSession } from "@/lib/session/session-provider";
import { Header } from "./header";
import { navigationLinks } from "./navigation";

/** The header inside the app, which knows who is signed in. */
export function SessionHeader() {
  const { loading, user, profile, signOut } = useSession();
  const navigate = useNavigate();
  const logOut = async () => {
    await signOut();
    await navigate("/");
  };
  return (
    <Header
      links={navigationLinks(user !== null, profile?.is_admin === true)}
      signedIn={user !== null}
      loading={loading}
      onLogOut={() => void logOut()}
    />
  );
}

import { useMutation } from "@tanstack/react-query";
import { useEffect, useState, type SubmitEvent } from "react";
import { anonymous, ok, session } from "@/api/client";
import { ApiError, sentence } from "@/api/problem";
import { Plain } from "@/app/plain";
import { Button } from "@/ui/button";
import { PasswordField, TextField } from "@/ui/field";
import { Brand } from "@/ui/gate";

function reason(error: Error | null): string | undefined {
  if (!error) return undefined;
  if (error instanceof ApiError && error.status === 401) return "E-mail and password do not match. Try again.";
  if (error instanceof ApiError && error.status === 429) return "Too many tries. Wait a minute, then try again.";
  return sentence(error);
}

/** Signing in. Where you were going is kept in the address. */
export function Login() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const login = useMutation({
    mutationFn: () => ok(anonymous.POST("/api/v1/auth/login", { body: { email, password } })),
    onSuccess: (grant) => session.begin(grant),
  });
  useEffect(() => {
    document.title = "Sign in · Penstock";
  }, []);
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    login.mutate();
  };
  return (
    <Plain>
      <main className="center">
        <form className="signin" onSubmit={submit}>
          <div className="stack tight">
            <Brand />
            <h1>Sign in</h1>
            <p className="sm ink-2">to {window.location.host}</p>
          </div>
          <div className="stack">
            <TextField label="E-mail" type="email" name="email" autoComplete="username" required value={email} onChange={(e) => setEmail(e.target.value)} />
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(e) => setPassword(e.target.value)}
              problem={reason(login.error)}
            />
          </div>
          <Button type="submit" look="primary" className="wide" working={login.isPending && "Signing in…"}>
            Sign in
          </Button>
          <p className="hint">
            No account, or a lost password? Ask an admin. Nobody left to ask: run <code>penstock user password EMAIL</code> on the server, or <code>penstock user create</code> for a new account.
          </p>
        </form>
      </main>
    </Plain>
  );
}

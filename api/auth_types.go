package api

// SetupState says whether this server still needs its first user.
type SetupState struct {
	Needed bool `json:"needed" doc:"true while no user exists"`
}

// SetupRequest makes the first user, an admin.
type SetupRequest struct {
	Token    string `json:"token" minLength:"1" maxLength:"128" doc:"From the link the server printed at its start"`
	Email    string `json:"email" format:"email" maxLength:"254" doc:"What you will sign in with" example:"ingrid@example.com"`
	Name     string `json:"name,omitempty" maxLength:"128" doc:"What others call you" example:"Ingrid Solheim"`
	Password string `json:"password" minLength:"12" maxLength:"256" doc:"12 characters or more"`
}

// LoginRequest signs a user in.
type LoginRequest struct {
	Email    string `json:"email" minLength:"1" maxLength:"254" doc:"The user's e-mail" example:"ingrid@example.com"`
	Password string `json:"password" minLength:"1" maxLength:"256" doc:"The user's password"`
}

// Login is a signed-in user's access token. The refresh token is in a cookie.
type Login struct {
	AccessToken      string `json:"access_token" doc:"Send it as Authorization: Bearer; keep it in memory only"`
	TokenType        string `json:"token_type" enum:"Bearer" doc:"How to send it"`
	ExpiresInSeconds int    `json:"expires_in_seconds" example:"600" doc:"POST /auth/refresh before"`
	User             User   `json:"user" doc:"Who signed in"`
}

// Me is who is asking.
type Me struct {
	Kind   string   `json:"kind" enum:"user,api_key" doc:"The kind of credential"`
	User   *User    `json:"user,omitempty" doc:"The user, for kind user"`
	APIKey *APIKey  `json:"api_key,omitempty" doc:"The API key, for kind api_key"`
	Scopes []string `json:"scopes" doc:"What the credential may do" enum:"streams:read,streams:write,keys:write,tokens:mint,sessions:kick,admin"`
}

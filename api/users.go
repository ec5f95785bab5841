package api

import (
	"context"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

// UserPath names a user in a path.
type UserPath struct {
	UserID string `path:"user_id" maxLength:"64" doc:"Id of the user" example:"usr_01jx3v2v9ke8ra4nqk2m3b7xwz"`
}

type userListInput struct{ PageQuery }

type userCreateInput struct{ Body UserCreate }

type userUpdateInput struct {
	UserPath
	Precondition
	Body UserUpdate
}

type userDeleteInput struct {
	UserPath
	Precondition
}

func (a *API) registerUsers() {
	register(a, operation{
		id: "list-users", method: get, path: "/users", tag: "Users", scope: auth.Admin, whole: true,
		summary: "List users",
	}, a.listUsers)
	register(a, operation{
		id: "create-user", method: post, path: "/users", tag: "Users", scope: auth.Admin, whole: true, idempotent: true, status: 201,
		summary: "Create a user",
	}, a.createUser)
	register(a, operation{
		id: "get-user", method: get, path: "/users/{user_id}", tag: "Users", scope: auth.Admin, whole: true,
		summary: "Get a user",
	}, a.getUser)
	register(a, operation{
		id: "update-user", method: patch, path: "/users/{user_id}", tag: "Users", scope: auth.Admin, whole: true,
		summary: "Change a user",
		about:   "A new role, other vhosts or a new password sign the user out everywhere.",
	}, a.updateUser)
	register(a, operation{
		id: "delete-user", method: del, path: "/users/{user_id}", tag: "Users", scope: auth.Admin, whole: true,
		summary: "Delete a user",
		about:   "The user is signed out everywhere within a second.",
	}, a.deleteUser)
}

func (a *API) listUsers(ctx context.Context, in *userListInput) (*listOutput[User], error) {
	l, err := a.store.Users(ctx, store.ListOptions{Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	return pageOf(l, false, userOf), nil
}

func (a *API) createUser(ctx context.Context, in *userCreateInput) (*single[User], error) {
	b := &in.Body
	vhosts, err := a.vhostIDs(ctx, b.VhostIDs, "/vhost_ids")
	if err != nil {
		return nil, err
	}
	hash, err := a.auth.Hash(ctx, b.Password)
	if err != nil {
		return nil, err
	}
	u, err := a.store.CreateUser(ctx, actor(ctx), store.User{
		Email: b.Email, Name: b.Name, Role: b.Role, Vhosts: vhosts, PasswordHash: hash, Enabled: true,
	})
	return userReply(u), err
}

func (a *API) getUser(ctx context.Context, in *UserPath) (*single[User], error) {
	u, err := a.store.User(ctx, in.UserID)
	return userReply(u), missing(err, "user", in.UserID)
}

func (a *API) updateUser(ctx context.Context, in *userUpdateInput) (*single[User], error) {
	u, err := a.userAt(ctx, in.UserID, in.Precondition)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	set(&u.Email, b.Email)
	set(&u.Name, b.Name)
	set(&u.Role, b.Role)
	set(&u.Enabled, b.Enabled)
	if b.VhostIDs != nil {
		if u.Vhosts, err = a.vhostIDs(ctx, *b.VhostIDs, "/vhost_ids"); err != nil {
			return nil, err
		}
	}
	u.PasswordHash = "" // stays as it is
	if b.Password != nil {
		if u.PasswordHash, err = a.auth.Hash(ctx, *b.Password); err != nil {
			return nil, err
		}
	}
	if u, err = a.store.UpdateUser(ctx, actor(ctx), u); err != nil {
		return nil, err
	}
	a.signedOut()
	return userReply(u), nil
}

func (a *API) deleteUser(ctx context.Context, in *userDeleteInput) (*none, error) {
	u, err := a.userAt(ctx, in.UserID, in.Precondition)
	if err != nil {
		return nil, err
	}
	if err := a.store.DeleteUser(ctx, actor(ctx), u.ID, u.Revision); err != nil {
		return nil, err
	}
	a.signedOut()
	return &none{}, nil
}

// userAt returns a user at the revision the caller has seen.
func (a *API) userAt(ctx context.Context, id string, p Precondition) (store.User, error) {
	u, err := a.store.User(ctx, id)
	if err != nil {
		return u, missing(err, "user", id)
	}
	u.Revision, err = p.revision(u.Revision)
	return u, err
}

// signedOut makes it hold at once that somebody may do less than before.
func (a *API) signedOut() {
	a.auth.Forget()
	a.feed.Recheck()
}

func userReply(u store.User) *single[User] {
	return &single[User]{ETag: etag(u.Revision), Body: userOf(u)}
}

func userOf(u store.User) User {
	return User{
		ID: u.ID, Email: u.Email, Name: u.Name, Role: u.Role, VhostIDs: list(u.Vhosts), Enabled: u.Enabled, LastLoginAt: timeOrNil(u.LastLoginAt),
		CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt, Revision: u.Revision,
	}
}

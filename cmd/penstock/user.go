package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

type userCommands struct {
	Create   userCreate   `cmd:"" help:"Create a user. The password is asked for, or read from standard input."`
	Password userPassword `cmd:"" help:"Give a user a new password, asked for or read from standard input. The user is signed out everywhere."`
	List     userList     `cmd:"" help:"List the users."`
}

type userCreate struct {
	Email string   `arg:"" help:"What the user signs in with."`
	Name  string   `help:"What others call the user."`
	Role  string   `enum:"admin,operator,viewer" default:"viewer" help:"admin, operator or viewer."`
	Vhost []string `placeholder:"NAME" help:"Limit the user to this vhost; may be given several times. Default: all."`
}

// Run creates the user.
func (u userCreate) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		ids := make([]string, len(u.Vhost))
		for i, name := range u.Vhost {
			vhost, err := c.vhost(s, name)
			if err != nil {
				return err
			}
			ids[i] = vhost.ID
		}
		_, err := s.UserByEmail(c.ctx, u.Email)
		switch {
		case err == nil:
			return &advice{
				err:  fmt.Errorf("there is a user %s already", plain(u.Email)),
				what: "penstock user password " + plain(u.Email) + " gives this user a new password.",
			}
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
		hash, err := c.newPasswordHash()
		if err != nil {
			return err
		}
		created, err := s.CreateUser(c.ctx, c.actor(), store.User{
			Email: u.Email, Name: u.Name, PasswordHash: hash, Role: u.Role, Vhosts: ids, Enabled: true,
		})
		if err != nil {
			return err
		}
		return c.print("%s\t%s\t%s\n", created.ID, created.Email, created.Role)
	})
}

type userPassword struct {
	Email string `arg:"" help:"What the user signs in with."`
}

// Run replaces the password, which ends the user's logins.
func (u userPassword) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		user, err := s.UserByEmail(c.ctx, u.Email)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("there is no user %s (penstock user list shows who there is)", plain(u.Email))
		case err != nil:
			return err
		}
		if user.PasswordHash, err = c.newPasswordHash(); err != nil {
			return err
		}
		if user, err = s.UpdateUser(c.ctx, c.actor(), user); err != nil {
			return err
		}
		said := "has a new password and is signed out everywhere"
		if !user.Enabled {
			said += ", but is disabled and cannot sign in"
		}
		return c.print("%s %s\n", plain(user.Email), said)
	})
}

// newPasswordHash gets a new password and hashes it.
func (c *command) newPasswordHash() (string, error) {
	password, err := c.newPassword()
	if err != nil {
		return "", err
	}
	return auth.HashPassword(password)
}

// newPassword asks a person twice, or reads a line of standard input.
func (c *command) newPassword() (string, error) {
	password, err := c.readPassword("Password: ")
	if err != nil {
		return "", err
	}
	if utf8.RuneCountInString(password) < auth.MinPassword {
		return "", fmt.Errorf("the password has to have at least %d characters", auth.MinPassword)
	}
	if c.asks() {
		again, err := c.readPassword("Again: ")
		if err != nil {
			return "", err
		}
		if again != password {
			return "", errors.New("the two passwords differ")
		}
	}
	return password, nil
}

// asks reports whether a person sits at standard input.
func (c *command) asks() bool {
	file, ok := c.stdin.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

func (c *command) readPassword(prompt string) (string, error) {
	if file, ok := c.stdin.(*os.File); ok && c.asks() {
		_, _ = fmt.Fprint(c.stderr, prompt)
		b, err := term.ReadPassword(int(file.Fd()))
		_, _ = fmt.Fprintln(c.stderr)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return string(b), nil
	}
	line, err := bufio.NewReader(io.LimitReader(c.stdin, 1<<10)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password from standard input: %w", err)
	}
	return string(bytes.TrimRight(line, "\r\n")), nil
}

type userList struct{}

// Run lists the users.
func (userList) Run(c *command) error {
	return c.withStore(func(s *store.Store) error {
		t := c.table("ID", "EMAIL", "ROLE", "ENABLED")
		err := every(func(o store.ListOptions) (store.List[store.User], error) { return s.Users(c.ctx, o) }, func(u store.User) {
			t.row(u.ID, u.Email, u.Role, yes(u.Enabled))
		})
		return errors.Join(err, t.flush())
	})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// splitStream reads "live/demo" as app and stream.
func splitStream(path string) (app, name string, err error) {
	i := strings.LastIndexByte(strings.Trim(path, "/"), '/')
	if i < 0 {
		return "", "", fmt.Errorf("%q is not APP/STREAM, such as live/demo", path)
	}
	path = strings.Trim(path, "/")
	return path[:i], path[i+1:], nil
}

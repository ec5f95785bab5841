package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/penstock-media/penstock/server/certificate"
)

// certificate is what RTMPS and HTTPS are served with; nil when neither is on.
func (s serveCommand) certificate(log *slog.Logger) (*tls.Config, error) {
	switch {
	case s.TLSCert != "" && s.TLSKey != "":
		cert, err := certificate.Load(s.TLSCert, s.TLSKey, log)
		if err != nil {
			return nil, err
		}
		return cert.Config(), nil
	case s.TLSCert != "" || s.TLSKey != "":
		return nil, &advice{
			err:  errors.New("half a certificate: --tls-cert and --tls-key belong together"),
			what: "Name the file of the other half too.",
		}
	case len(s.RTMPS) > 0 || len(s.HTTPS) > 0:
		return nil, &advice{
			err:  errors.New("--rtmps and --https need a certificate"),
			what: "Name its files with --tls-cert and --tls-key.",
		}
	}
	return nil, nil //nolint:nilnil // no TLS is asked for
}

// checkCertificate looks at the certificate that serve would use.
func checkCertificate(certFile, keyFile string) finding {
	const soon = 14 * 24 * time.Hour
	f := finding{what: "certificate", said: certFile}
	cert, err := certificate.Load(certFile, keyFile, nil)
	if err != nil {
		f.fatal, f.said, f.advice = true, err.Error(), "Both files are PEM, and the key has to be the certificate's."
		return f
	}
	f.said = fmt.Sprintf("%v until %s", cert.Names(), cert.NotAfter().UTC().Format(time.DateOnly))
	if time.Until(cert.NotAfter()) < soon {
		f.advice = "Renew it: it is used as soon as the files have changed, without a restart."
	}
	return f
}

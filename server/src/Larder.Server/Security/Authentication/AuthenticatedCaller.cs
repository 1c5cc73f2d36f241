namespace Larder.Server.Security;

/// <summary>An authenticated caller. It is identified by a token in the token file, a signed token or a certificate.</summary>
internal sealed class AuthenticatedCaller
{
    private AuthenticatedCaller(TokenEntry entry, TokenDigest digest, string? signed, CertificateIdentity? certificate)
    {
        Entry = entry;
        Digest = digest;
        Signed = signed;
        Certificate = certificate;
        Expires = certificate is { } shown && !(entry.Expires < shown.Expires) ? shown.Expires : entry.Expires;
    }

    public TokenEntry Entry { get; }

    /// <summary>
    /// Gets the digest of the presented token. An entry of the token file may have two tokens. The value is the default if the caller presented a certificate.
    /// </summary>
    public TokenDigest Digest { get; }

    /// <summary>Gets the token itself if it is a signed (disposable) token, which no file contains; otherwise null. It is never logged.</summary>
    public string? Signed { get; }

    /// <summary>Gets the certificate if the caller authenticated with a certificate instead of a token; otherwise null.</summary>
    public CertificateIdentity? Certificate { get; }

    /// <summary>
    /// Gets the time at which the authentication expires (wall clock); null if it never expires. It expires at the latest when the certificate expires.
    /// </summary>
    public DateTimeOffset? Expires { get; }

    public static AuthenticatedCaller OfFile(TokenEntry entry, TokenDigest digest) => new(entry, digest, null, null);

    public static AuthenticatedCaller OfSignature(TokenEntry entry, TokenDigest digest, string signed) => new(entry, digest, signed, null);

    public static AuthenticatedCaller OfCertificate(TokenEntry entry, CertificateIdentity certificate) => new(entry, default, null, certificate);

    /// <summary>Returns whether the authentication has expired at the given wall-clock time.</summary>
    public bool HasExpired(DateTimeOffset now) => Expires is { } end && now >= end;
}

namespace Larder.Server.Security;

/// <summary>An authenticated caller: identified by a token in the token file, a signed token or a certificate.</summary>
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

    /// <summary>Gets the digest of the presented token; an entry may have two. The default value if a certificate was used.</summary>
    public TokenDigest Digest { get; }

    /// <summary>Gets the token itself if it is a signed (disposable) token, which is not in any file; otherwise null. Never logged.</summary>
    public string? Signed { get; }

    /// <summary>Gets the certificate if the caller authenticated with it instead of a token; otherwise null.</summary>
    public CertificateIdentity? Certificate { get; }

    /// <summary>Gets when the authentication expires (wall clock), at the latest when the certificate does; null if never.</summary>
    public DateTimeOffset? Expires { get; }

    public static AuthenticatedCaller OfFile(TokenEntry entry, TokenDigest digest) => new(entry, digest, null, null);

    public static AuthenticatedCaller OfSignature(TokenEntry entry, TokenDigest digest, string signed) => new(entry, digest, signed, null);

    public static AuthenticatedCaller OfCertificate(TokenEntry entry, CertificateIdentity certificate) => new(entry, default, null, certificate);

    /// <summary>Returns whether it has expired at the given wall-clock time.</summary>
    public bool HasExpired(DateTimeOffset now) => Expires is { } end && now >= end;
}

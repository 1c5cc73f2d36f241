namespace Larder.Server.Security;

/// <summary>Who somebody has shown to be: by a token of the file, by one that is signed, or by a certificate.</summary>
internal sealed class KnownToken
{
    private KnownToken(TokenEntry entry, TokenDigest digest, string? signed, ShownCertificate? certificate)
    {
        Entry = entry;
        Digest = digest;
        Signed = signed;
        Certificate = certificate;
        Expires = certificate is { } shown && !(entry.Expires < shown.Expires) ? shown.Expires : entry.Expires;
    }

    public TokenEntry Entry { get; }

    /// <summary>The token's; of an entry with two, the one of them. Nothing of a certificate.</summary>
    public TokenDigest Digest { get; }

    /// <summary>The token itself where no file has it, and its signature says what it may do; null otherwise. Never logged.</summary>
    public string? Signed { get; }

    /// <summary>The certificate, where one was shown and no token.</summary>
    public ShownCertificate? Certificate { get; }

    /// <summary>When it ends, by the wall clock, and with a certificate not after that; null: never.</summary>
    public DateTimeOffset? Expires { get; }

    public static KnownToken OfFile(TokenEntry entry, TokenDigest digest) => new(entry, digest, null, null);

    public static KnownToken OfSignature(TokenEntry entry, TokenDigest digest, string signed) => new(entry, digest, signed, null);

    public static KnownToken OfCertificate(TokenEntry entry, ShownCertificate certificate) => new(entry, default, null, certificate);

    /// <summary>Whether it has ended at a time of the wall clock.</summary>
    public bool HasExpired(DateTimeOffset now) => Expires is { } end && now >= end;
}

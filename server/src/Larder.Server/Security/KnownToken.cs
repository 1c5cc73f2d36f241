namespace Larder.Server.Security;

/// <summary>A token that somebody has shown, by its digest: of an entry with two, the one of them.</summary>
internal sealed record KnownToken(TokenDigest Digest, TokenEntry Entry);

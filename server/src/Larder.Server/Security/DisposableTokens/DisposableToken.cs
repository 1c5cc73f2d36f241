using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Larder.Wire.Protobuf;

namespace Larder.Server.Security;

/// <summary>
/// A signed token that contains its own rights and expiry. It consists of <c>larder_d1.</c>, the claims and the signature; the last two are encoded in
/// base64url. The claims are protobuf fields: 1 the issuer's ID, 2 the token's ID, 3 the expiry in seconds since 1970, 4 the permissions as requested.
/// </summary>
internal static class DisposableToken
{
    /// <summary>The maximum length in characters. It must be low because every call sends the token in its metadata, which are limited to 32 KiB.</summary>
    public const int MaxCharacters = 4_096;

    /// <summary>The maximum lifetime of a token.</summary>
    public static readonly TimeSpan MaxLife = TimeSpan.FromHours(24);

    private const string Beginning = "larder_d1.";
    private const int Issuer = 1;
    private const int TokenId = 2;
    private const int Expires = 3;
    private const int Permissions = 4;

    // The last second of the year 9999, which is the latest time that a DateTimeOffset can represent.
    private const ulong MaxExpires = 253_402_300_799;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Returns whether a token has the prefix of disposable tokens.</summary>
    public static bool IsOne(string token) => token.StartsWith(Beginning, StringComparison.Ordinal);

    /// <summary>Creates a token. Returns null if the token would be longer than <see cref="MaxCharacters"/>.</summary>
    /// <param name="issuer">The ID of the entry that requested the token.</param>
    /// <param name="tokenId">The ID that the issuer chose; may be empty.</param>
    /// <param name="expires">The expiry in seconds since 1970.</param>
    /// <param name="permissions">The encoded permissions as requested.</param>
    /// <param name="keys">The signing keys.</param>
    public static string? Write(string issuer, string tokenId, long expires, ReadOnlySpan<byte> permissions, TokenKeys keys)
    {
        byte[] id = Utf8.GetBytes(tokenId);
        byte[] who = Utf8.GetBytes(issuer);
        int length = ProtoWriter.BytesFieldLength(Issuer, who.Length) + ProtoWriter.BytesFieldLength(TokenId, id.Length)
            + ProtoWriter.VarintFieldLength(Expires, (ulong)expires) + ProtoWriter.BytesFieldLength(Permissions, permissions.Length);
        if (length > MaxCharacters)
        {
            return null;
        }

        byte[] claims = new byte[length];
        ProtoWriter writer = new(claims);
        writer.WriteBytesField(Issuer, who);
        writer.WriteBytesField(TokenId, id);
        writer.WriteVarintField(Expires, (ulong)expires);
        writer.WriteBytesField(Permissions, permissions);
        string message = Beginning + Base64Url.EncodeToString(claims.AsSpan(0, writer.Written));
        byte[] signature = new byte[HMACSHA256.HashSizeInBytes];
        keys.Sign(Encoding.ASCII.GetBytes(message), signature);
        string token = $"{message}.{Base64Url.EncodeToString(signature)}";
        return token.Length <= MaxCharacters ? token : null;
    }

    /// <summary>Verifies the signature and returns the claims, even if the token has expired. Returns null if no key has signed the token.</summary>
    public static DisposableClaims? Verify(string token, TokenKeys keys)
    {
        int dot = token.LastIndexOf('.');
        if (token.Length > MaxCharacters || dot < Beginning.Length || !CanonicalBase64Url.TryDecode(token.AsSpan(dot + 1), out byte[] signature)
            || !keys.HasSigned(Encoding.UTF8.GetBytes(token[..dot]), signature))
        {
            return null;
        }

        // The claims are parsed only after the signature was verified. They were therefore written by a server that has the key.
        return CanonicalBase64Url.TryDecode(token.AsSpan(Beginning.Length, dot - Beginning.Length), out byte[] claims) ? Read(claims) : null;
    }

    private static DisposableClaims? Read(ReadOnlySpan<byte> claims)
    {
        ReadOnlySpan<byte> issuer = default;
        ReadOnlySpan<byte> id = default;
        ReadOnlySpan<byte> permissions = default;
        ulong expires = 0;
        IReadOnlyList<Grant> grants = [];
        ProtoReader reader = new(claims);
        while (reader.NextField())
        {
            _ = (reader.Field, reader.WireType) switch
            {
                (Issuer, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out issuer),
                (TokenId, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out id),
                (Expires, ProtoWireType.Varint) => reader.TryReadVarint(out expires),
                (Permissions, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out permissions),
                _ => reader.TrySkip(),
            };
        }

        bool isWhole = !reader.IsMalformed && PermissionsReader.Read(permissions, out grants) is null && expires <= MaxExpires;
        return isWhole && TextOf(issuer) is { } who && TextOf(id) is { } called
            ? new DisposableClaims(who, called, DateTimeOffset.FromUnixTimeSeconds((long)expires), grants)
            : null;
    }

    // Returns null if the bytes are not UTF-8.
    private static string? TextOf(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Utf8.GetString(bytes);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}

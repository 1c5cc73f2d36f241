using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Larder.Wire.Protobuf;

namespace Larder.Server.Security;

/// <summary>
/// A token that says by itself what it may do and until when, signed: <c>larder_d1.</c>, the claims and the signature, each in base64url. The claims are fields
/// as protobuf has them: 1 the issuer's id, 2 the token's, 3 its end in seconds since 1970, 4 the permissions as they were asked for.
/// </summary>
internal static class DisposableToken
{
    /// <summary>Characters of the longest: it travels with every call, and a call's metadata have 32 KiB at most.</summary>
    public const int MaxCharacters = 4_096;

    /// <summary>The longest that one holds.</summary>
    public static readonly TimeSpan MaxLife = TimeSpan.FromHours(24);

    private const string Beginning = "larder_d1.";
    private const int Issuer = 1;
    private const int TokenId = 2;
    private const int Expires = 3;
    private const int Permissions = 4;

    // The last second of the year 9999: a DateTimeOffset holds no later one.
    private const ulong MaxExpires = 253_402_300_799;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Whether a token is of this kind, by its beginning.</summary>
    public static bool IsOne(string token) => token.StartsWith(Beginning, StringComparison.Ordinal);

    /// <summary>Writes one; null: it would be longer than <see cref="MaxCharacters"/>.</summary>
    /// <param name="issuer">The id of who asked for it.</param>
    /// <param name="tokenId">What the issuer calls it; may be empty.</param>
    /// <param name="expires">Its end, in seconds since 1970.</param>
    /// <param name="permissions">What it may do, as it was asked for.</param>
    /// <param name="keys">Sign it.</param>
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

    /// <summary>What a token says, expired or not; null: no key has signed it.</summary>
    public static DisposableClaims? Verify(string token, TokenKeys keys)
    {
        int dot = token.LastIndexOf('.');
        if (token.Length > MaxCharacters || dot < Beginning.Length || !CanonicalBase64Url.TryDecode(token.AsSpan(dot + 1), out byte[] signature)
            || !keys.HasSigned(Encoding.UTF8.GetBytes(token[..dot]), signature))
        {
            return null;
        }

        // Whoever has a key wrote what follows.
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

    // Null: it is not UTF-8.
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

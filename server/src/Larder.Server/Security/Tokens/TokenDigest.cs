using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Security;

/// <summary>
/// The SHA-256 digest of a token. Tokens are random, so one round is enough. A caller cannot choose the bytes of a digest, so the duration of a table lookup
/// reveals nothing about the table.
/// </summary>
internal readonly record struct TokenDigest(ulong First, ulong Second, ulong Third, ulong Fourth)
{
    /// <summary>The maximum length of a token in characters. A longer token is treated as unknown without a lookup.</summary>
    public const int MaxTokenCharacters = DisposableToken.MaxCharacters;

    private const int OnStack = 512;

    private const int Hexadecimal = 2 * SHA256.HashSizeInBytes;

    /// <summary>Computes the digest of a token as it was received. Returns false if the token is empty or too long.</summary>
    public static bool TryOf(string token, out TokenDigest digest)
    {
        digest = default;
        if (token.Length is 0 or > MaxTokenCharacters)
        {
            return false;
        }

        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        if (token.Length <= OnStack)
        {
            Span<byte> text = stackalloc byte[OnStack * 3];
            SHA256.HashData(text[..Encoding.UTF8.GetBytes(token, text)], hash);
        }
        else
        {
            SHA256.HashData(Encoding.UTF8.GetBytes(token), hash);
        }

        digest = MemoryMarshal.Read<TokenDigest>(hash);
        return true;
    }

    /// <summary>Parses 64 hexadecimal digits.</summary>
    public static bool TryParse(string text, out TokenDigest digest)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        bool isRead = text.Length == Hexadecimal && Convert.FromHexString(text, hash, out _, out _) == System.Buffers.OperationStatus.Done;
        digest = isRead ? MemoryMarshal.Read<TokenDigest>(hash) : default;
        return isRead;
    }

    /// <summary>Returns the digest in the form of token files: 64 lowercase hexadecimal digits.</summary>
    public override string ToString() => Convert.ToHexStringLower(MemoryMarshal.AsBytes(new ReadOnlySpan<TokenDigest>(in this)));
}

using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text;

namespace Larder.Server.Security;

/// <summary>
/// The SHA-256 of a token. Tokens are random, so that one round is enough; and as nobody can choose a digest's bytes, to look it up in a table tells nothing of
/// the table by the time that it takes.
/// </summary>
internal readonly record struct TokenDigest(ulong First, ulong Second, ulong Third, ulong Fourth)
{
    /// <summary>Characters of the longest token that is looked up; a longer one is nobody's.</summary>
    public const int MaxTokenCharacters = DisposableToken.MaxCharacters;

    private const int OnStack = 512;

    private const int Hexadecimal = 2 * SHA256.HashSizeInBytes;

    /// <summary>The digest of a token as it travels; false where none can be so long.</summary>
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

    /// <summary>Reads 64 hexadecimal digits.</summary>
    public static bool TryParse(string text, out TokenDigest digest)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        bool isRead = text.Length == Hexadecimal && Convert.FromHexString(text, hash, out _, out _) == System.Buffers.OperationStatus.Done;
        digest = isRead ? MemoryMarshal.Read<TokenDigest>(hash) : default;
        return isRead;
    }

    /// <summary>As a file of tokens has it.</summary>
    public override string ToString() => Convert.ToHexStringLower(MemoryMarshal.AsBytes(new ReadOnlySpan<TokenDigest>(in this)));
}

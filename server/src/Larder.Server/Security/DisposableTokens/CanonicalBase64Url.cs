using System.Buffers;
using System.Buffers.Text;

namespace Larder.Server.Security;

/// <summary>
/// Strict base64url in which every byte sequence has exactly one encoding: no padding, no white space, unused bits 0. A decision about a token's
/// text, such as caching or revoking it, therefore holds for the token.
/// </summary>
internal static class CanonicalBase64Url
{
    /// <summary>Decodes a text. Returns false if it is not base64url or not the canonical encoding.</summary>
    public static bool TryDecode(ReadOnlySpan<char> text, out byte[] bytes)
    {
        bytes = [];
        if (!Base64Url.IsValid(text, out int length))
        {
            return false;
        }

        byte[] decoded = new byte[length];

        // Avoids the overload that throws: some texts with padding are reported as valid but cannot be decoded.
        bool isDecoded = Base64Url.DecodeFromChars(text, decoded, out _, out int written) == OperationStatus.Done && written == length;
        if (!isDecoded || !text.SequenceEqual(Base64Url.EncodeToString(decoded)))
        {
            return false;
        }

        bytes = decoded;
        return true;
    }
}

using System.Buffers;
using System.Buffers.Text;

namespace Larder.Server.Security;

/// <summary>
/// Strict base64url, in which every byte sequence has exactly one encoding. Padding and white space are not allowed, and unused bits must be 0. Therefore, a
/// token has only one valid text, and a decision that is based on the text, such as caching it, is a decision about the token.
/// </summary>
internal static class CanonicalBase64Url
{
    /// <summary>Decodes a text. Returns false if the text is not base64url or is not the canonical encoding.</summary>
    public static bool TryDecode(ReadOnlySpan<char> text, out byte[] bytes)
    {
        bytes = [];
        if (!Base64Url.IsValid(text, out int length))
        {
            return false;
        }

        byte[] decoded = new byte[length];

        // Uses the overload that does not throw, because IsValid accepts some texts with padding that cannot be decoded.
        bool isDecoded = Base64Url.DecodeFromChars(text, decoded, out _, out int written) == OperationStatus.Done && written == length;
        if (!isDecoded || !text.SequenceEqual(Base64Url.EncodeToString(decoded)))
        {
            return false;
        }

        bytes = decoded;
        return true;
    }
}

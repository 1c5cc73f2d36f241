using System.Buffers;
using System.Buffers.Text;

namespace Larder.Server.Security;

/// <summary>
/// Strict base64url, in which every byte sequence has exactly one encoding: without padding, without white space, and with unused bits set to 0. A decision
/// that depends on the text of a token, such as caching or revoking it, therefore applies to the token itself.
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

        // The overload that throws is not used, because some texts with padding are reported as valid although they cannot be decoded.
        bool isDecoded = Base64Url.DecodeFromChars(text, decoded, out _, out int written) == OperationStatus.Done && written == length;
        if (!isDecoded || !text.SequenceEqual(Base64Url.EncodeToString(decoded)))
        {
            return false;
        }

        bytes = decoded;
        return true;
    }
}

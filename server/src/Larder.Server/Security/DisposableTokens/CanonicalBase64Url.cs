using System.Buffers;
using System.Buffers.Text;

namespace Larder.Server.Security;

/// <summary>
/// Base64url of which bytes have one text: no padding, no white space, unused bits 0. So what is kept or refused by a token's text holds for the token.
/// </summary>
internal static class CanonicalBase64Url
{
    /// <summary>Decodes a text; false where this server would have written the bytes in another way, or it is no base64url.</summary>
    public static bool TryDecode(ReadOnlySpan<char> text, out byte[] bytes)
    {
        bytes = [];
        if (!Base64Url.IsValid(text, out int length))
        {
            return false;
        }

        byte[] decoded = new byte[length];

        // Not the form that throws: of texts with padding some are valid and cannot be decoded.
        bool isDecoded = Base64Url.DecodeFromChars(text, decoded, out _, out int written) == OperationStatus.Done && written == length;
        if (!isDecoded || !text.SequenceEqual(Base64Url.EncodeToString(decoded)))
        {
            return false;
        }

        bytes = decoded;
        return true;
    }
}

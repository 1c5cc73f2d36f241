using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Unicode;

namespace Larder.FileStore.Engine;

/// <summary>
/// Recognizes bytes that are text: valid UTF-8 without control characters except tab and line ends. The file stores them as text. Reading the text returns
/// exactly the same bytes, because a text has only one valid UTF-8 encoding.
/// </summary>
internal static class TextBytes
{
    private static readonly SearchValues<byte> NoText = SearchValues.Create(
        [.. Enumerable.Range(0, 32).Select(i => (byte)i).Except("\t\n\r"u8.ToArray()), 127]);

    internal static bool IsText(ReadOnlySpan<byte> bytes) => !bytes.ContainsAny(NoText) && Utf8.IsValid(bytes);

    /// <summary>Gets the text of an entry's value. Returns false if the value is bytes that are not text.</summary>
    internal static bool TryRead(object value, [NotNullWhen(true)] out string? text)
    {
        text = value as string;
        if (text is null && IsText((byte[])value))
        {
            text = Encoding.UTF8.GetString((byte[])value);
        }
        return text is not null;
    }
}

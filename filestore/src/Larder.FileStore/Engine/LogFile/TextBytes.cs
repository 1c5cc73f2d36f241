using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Unicode;

namespace Larder.FileStore.Engine;

/// <summary>
/// Bytes that are text: valid UTF-8 without controls but tab and line ends. They stand in the file as text, and read as text; they come back as the
/// same bytes, because valid UTF-8 has one form.
/// </summary>
internal static class TextBytes
{
    private static readonly SearchValues<byte> NoText = SearchValues.Create(
        [.. Enumerable.Range(0, 32).Select(i => (byte)i).Except("\t\n\r"u8.ToArray()), 127]);

    internal static bool IsText(ReadOnlySpan<byte> bytes) => !bytes.ContainsAny(NoText) && Utf8.IsValid(bytes);

    /// <summary>The text of an entry's value; false where it is bytes that are none.</summary>
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

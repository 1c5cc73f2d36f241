using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// A cache file whose first line an editor has changed without changing what it says: a byte order mark before it, its spaces trimmed, another line end.
/// </summary>
internal static class EditedFile
{
    /// <summary>Writes such a file anew with a first line of its right length; leaves every other file as it is. True where it did.</summary>
    internal static bool Straighten(string path)
    {
        Span<byte> start = stackalloc byte[2 * LogHeader.Bytes];
        using SafeFileHandle? file = OpenFile.Try(path);
        int read = file is null ? 0 : RandomAccess.Read(file, start, 0);
        int end = start[..read].IndexOf((byte)'\n');
        if (end < 0 || LogHeader.Read(start[..read], out _) == HeaderVerdict.Good || !IsHeader(start[..end], out LogHeader header))
        {
            return false;
        }
        string beside = $"{path}.edited.{Environment.ProcessId}{Random.Shared.NextInt64():x}.tmp";
        using (FileStream straight = OpenFile.CreateNew(beside))
        {
            straight.Write(header.ToBytes());
            using FileStream edited = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            edited.Position = end + 1;
            edited.CopyTo(straight);
        }
        File.Move(beside, path, overwrite: true);
        return true;
    }

    private static bool IsHeader(ReadOnlySpan<byte> line, out LogHeader header)
    {
        header = default;
        line = EditedLine.Trim(line);
        if (line.Length >= LogHeader.Bytes)
        {
            return false;
        }
        Span<byte> padded = stackalloc byte[LogHeader.Bytes];
        padded.Fill((byte)' ');
        line.CopyTo(padded);
        padded[^1] = (byte)'\n';
        return LogHeader.Read(padded, out header) == HeaderVerdict.Good;
    }
}

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
        using SafeFileHandle? file = OpenFile.Try(path, toRead: true);
        if (file is null || !TryReadHeader(file, out LogHeader header, out int end))
        {
            return false;
        }
        string beside = $"{path}.edited.{Environment.ProcessId}{Random.Shared.NextInt64():x}.tmp";
        using (FileStream straight = OpenFile.CreateNew(beside))
        {
            straight.Write(header.ToBytes());
            using FileStream edited = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            edited.Position = end;
            edited.CopyTo(straight);
        }
        File.Move(beside, path, overwrite: true);
        return true;
    }

    /// <summary>The first line of such a file, and where the next one begins; false for every other file.</summary>
    internal static bool TryReadHeader(SafeFileHandle file, out LogHeader header, out int end)
    {
        header = default;
        Span<byte> start = stackalloc byte[2 * LogHeader.Bytes];
        int read = RandomAccess.Read(file, start, 0);
        end = start[..read].IndexOf((byte)'\n') + 1;
        return end > 0 && LogHeader.Read(start[..read], out _) != HeaderVerdict.Good && IsHeader(start[..(end - 1)], out header);
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

using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// Handles a cache file whose first line was changed by a text editor without changing its meaning: a byte order mark, trimmed spaces, or different line
/// endings.
/// </summary>
internal static class EditedFile
{
    /// <summary>Rewrites such a file with a first line of the correct length and returns true. Leaves any other file unchanged and returns false.</summary>
    internal static bool RemoveEdits(string path)
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

    /// <summary>Reads the first line of such a file and the start of the next line. Returns false for any other file.</summary>
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

using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>The file that is being read as a whole; null if only appended lines are being read or no read is in progress.</summary>
    private SafeFileHandle? _fileLock;

    /// <summary>
    /// True while reading a file that other processes may be writing. A region without valid checksums then only sets <see cref="_isEdited"/>.
    /// </summary>
    private bool _isTrial;

    /// <summary>Whether the last file that was read contains manually edited lines. The holder of the write lock then rewrites the file.</summary>
    private bool _isEdited;

    /// <summary>
    /// Handles a region without valid checksums. When a whole file is read, lines that a person may have edited are applied, and each sequence of other lines
    /// is treated as damaged. When only appended lines are read, lines without a valid checksum are never applied.
    /// </summary>
    private void ApplyEditedOrUndo(ReadOnlySpan<byte> region, long offset)
    {
        if (_isTrial)
        {
            _isEdited = true;
            return;
        }
        int damagedFrom = 0;
        for (int at = 0; _fileLock is not null && at <= region.Length;)
        {
            int length = region[at..].IndexOf((byte)'\n');
            int end = length < 0 ? region.Length : at + length;
            List<Operation> operations = [];
            if (EditedLine.TryRead(region[at..end], operations) && IsUnchanged(region[at..end], offset + at))
            {
                if (at > damagedFrom)
                {
                    UndoDamaged(region[damagedFrom..(at - 1)], offset + damagedFrom);
                }
                operations.ForEach(o => _set.Apply(o));
                _isEdited = true;
                damagedFrom = end + 1;
            }
            at = end + 1;
        }
        if (damagedFrom < region.Length)
        {
            UndoDamaged(region[damagedFrom..], offset + damagedFrom);
        }
    }

    /// <summary>
    /// Returns whether the file still contains the line. This check is needed because the file is read in blocks. If the file is overwritten during the read
    /// (for example by a restored backup), a line that spans two blocks can consist of parts of two different lines. Such a line may be valid JSON with a value
    /// that was never written.
    /// </summary>
    private bool IsUnchanged(ReadOnlySpan<byte> line, long offset)
    {
        byte[] now = new byte[line.Length];
        return PositionedFile.Read(_fileLock!, now, offset) == now.Length && line.SequenceEqual(now);
    }
}

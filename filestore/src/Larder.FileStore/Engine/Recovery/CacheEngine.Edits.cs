using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    /// <summary>The file that is read as a whole at the moment.</summary>
    private SafeFileHandle? _wholeFile;

    /// <summary>While a file is read that others may be writing to: a stretch without right checksums is noted and nothing else.</summary>
    private bool _isTrial;

    /// <summary>Whether the file that was read last holds lines as a person's editor left them: whoever has the lock writes it anew then.</summary>
    private bool _isEdited;

    /// <summary>
    /// Of a stretch without right checksums, applies the lines that a person may have written, where a whole file is read; the others are damage, each
    /// run of them by itself. While lines are read that others append nothing is taken without its checksum.
    /// </summary>
    private void ApplyEditedOrUndo(ReadOnlySpan<byte> region, long offset)
    {
        if (_isTrial)
        {
            _isEdited = true;
            return;
        }
        int damagedFrom = 0;
        for (int at = 0; _wholeFile is not null && at <= region.Length;)
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
    /// Whether the file still holds the line. The file is read block by block: if it is overwritten meanwhile (a restored backup), a line at the end of a block
    /// consists of two lines' parts, and may be valid JSON with a value that was never written.
    /// </summary>
    private bool IsUnchanged(ReadOnlySpan<byte> line, long offset)
    {
        byte[] now = new byte[line.Length];
        return PositionedFile.Read(_wholeFile!, now, offset) == now.Length && line.SequenceEqual(now);
    }
}

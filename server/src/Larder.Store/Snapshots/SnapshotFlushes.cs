using System.Buffers.Binary;
using System.Text;

namespace Larder.Store.Snapshots;

/// <summary>
/// Records which caches were flushed or deleted since a snapshot. Each flush is recorded in a file next to the snapshot before the client gets its response, so
/// that flushed items are not restored after a crash. A record applies only to the snapshot whose file id it contains.
/// </summary>
internal sealed class SnapshotFlushes(string path)
{
    // The maximum number of records. It is the maximum number of caches. If more caches are created and deleted between two snapshots, adding a record fails.
    // This number of records needs 30 MB.
    private const int MaxNotes = 100_000;

    private const int HeaderBytes = 16;
    private const int LengthAt = 4;
    private const int FileIdAt = 8;
    private const int DeletedBit = 1 << 16;

    private readonly Dictionary<(ulong FileId, string Name), bool> _noted = [];

    /// <summary>Records that a cache was flushed or deleted. Returns when the record is on disk.</summary>
    /// <exception cref="IOException">The record could not be written, or there are too many records.</exception>
    /// <exception cref="UnauthorizedAccessException">The record could not be written.</exception>
    public void Add(ulong fileId, string name, bool isDeleted)
    {
        if (_noted.TryGetValue((fileId, name), out bool known) && known == isDeleted)
        {
            return;
        }

        if (_noted.Count >= MaxNotes)
        {
            throw new IOException($"The snapshot already has the maximum of {MaxNotes} flush records.");
        }

        byte[] note = new byte[HeaderBytes + Encoding.UTF8.GetByteCount(name)];
        BinaryPrimitives.WriteInt32LittleEndian(note.AsSpan(LengthAt), (note.Length - HeaderBytes) | (isDeleted ? DeletedBit : 0));
        BinaryPrimitives.WriteUInt64LittleEndian(note.AsSpan(FileIdAt), fileId);
        Encoding.UTF8.GetBytes(name, note.AsSpan(HeaderBytes));
        BinaryPrimitives.WriteUInt32LittleEndian(note, Checksum.Of(note.AsSpan(LengthAt)));
        bool isNew = !File.Exists(path);
        using (FileStream file = SnapshotFolder.Create(path, FileMode.Append))
        {
            file.Write(note);
            file.Flush(flushToDisk: true);
        }

        if (isNew)
        {
            SnapshotFolder.Synchronise(Path.GetDirectoryName(path)!);
        }

        _noted[(fileId, name)] = isDeleted;
    }

    /// <summary>
    /// Returns the caches that were flushed since a snapshot file was written. The value is true for deleted caches. Removes an incomplete record at the end of
    /// the records. The client of that flush got no response, so the record is not needed.
    /// </summary>
    public Dictionary<string, bool> Of(ulong fileId)
    {
        Dictionary<string, bool> flushed = new(StringComparer.Ordinal);
        ReadOnlySpan<byte> rest = File.Exists(path) ? File.ReadAllBytes(path) : [];
        long whole = 0;
        while (rest.Length >= HeaderBytes)
        {
            int word = BinaryPrimitives.ReadInt32LittleEndian(rest[LengthAt..]);
            int length = HeaderBytes + (word & (DeletedBit - 1));
            if (length > rest.Length || BinaryPrimitives.ReadUInt32LittleEndian(rest) != Checksum.Of(rest[LengthAt..length]))
            {
                break;
            }

            if (BinaryPrimitives.ReadUInt64LittleEndian(rest[FileIdAt..]) == fileId)
            {
                string name = Encoding.UTF8.GetString(rest[HeaderBytes..length]);
                flushed[name] = _noted[(fileId, name)] = (word & DeletedBit) != 0;
            }

            rest = rest[length..];
            whole += length;
        }

        if (!rest.IsEmpty)
        {
            // Truncate the file, because records after the incomplete record could not be read.
            using FileStream file = SnapshotFolder.Create(path, FileMode.Open);
            file.SetLength(whole);
            file.Flush(flushToDisk: true);
        }

        return flushed;
    }

    /// <summary>Removes the records of all other snapshot files. Called after a snapshot was completed.</summary>
    public void Keep(ulong fileId)
    {
        (string Name, bool IsDeleted)[] kept = [.. _noted.Where(note => note.Key.FileId == fileId).Select(note => (note.Key.Name, note.Value))];
        _noted.Clear();
        if (kept.Length == 0)
        {
            File.Delete(path);
            return;
        }

        foreach ((string name, bool isDeleted) in kept)
        {
            _noted[(fileId, name)] = isDeleted;
        }
    }
}

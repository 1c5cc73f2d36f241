using System.Buffers.Binary;
using System.Text;

namespace Larder.Store.Snapshots;

/// <summary>
/// Which caches were flushed or deleted since a snapshot: noted beside it, each before its flush is answered, so that a crash brings nothing back that
/// somebody had flushed. A note is for one file, by that file's number: of any other it says nothing.
/// </summary>
internal sealed class SnapshotFlushes(string path)
{
    // At most as many as there may be caches; who makes and drops more of them between two snapshots has notes of 30 MB.
    private const int MaxNotes = 100_000;

    private const int HeaderBytes = 16;
    private const int LengthAt = 4;
    private const int FileIdAt = 8;
    private const int DeletedBit = 1 << 16;

    private readonly Dictionary<(ulong FileId, string Name), bool> _noted = [];

    /// <summary>Notes that a cache was flushed or deleted; done when it is on the disk.</summary>
    /// <exception cref="IOException">It could not be noted, or there are too many notes.</exception>
    /// <exception cref="UnauthorizedAccessException">It could not be noted.</exception>
    public void Add(ulong fileId, string name, bool isDeleted)
    {
        if (_noted.TryGetValue((fileId, name), out bool known) && known == isDeleted)
        {
            return;
        }

        if (_noted.Count >= MaxNotes)
        {
            throw new IOException($"There are {MaxNotes} notes already.");
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
    /// The caches that were flushed since a file was written, each with whether it was deleted. A note that was not finished is none, and goes: its flush was
    /// not answered.
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
            // What follows would not be read.
            using FileStream file = SnapshotFolder.Create(path, FileMode.Open);
            file.SetLength(whole);
            file.Flush(flushToDisk: true);
        }

        return flushed;
    }

    /// <summary>A file was finished: notes of others are of no use any more.</summary>
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

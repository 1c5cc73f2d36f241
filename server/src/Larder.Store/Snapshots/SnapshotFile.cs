namespace Larder.Store.Snapshots;

/// <summary>
/// The file to which a store is saved and from which it is loaded. A snapshot is written to a temporary file, flushed to disk and then renamed. Therefore, the
/// file always contains the last completed snapshot. While this object is open, no other process can use the same file. Not thread-safe, except
/// <see cref="NoteFlush"/> and <see cref="Progress"/>.
/// </summary>
/// <remarks>
/// Related files in the same folder: <c>FILE.lock</c>, which remains; <c>FILE.writing</c>, during a write; <c>FILE.flushed</c>, from the first flush of a
/// cache until the next snapshot is written.
/// </remarks>
public sealed class SnapshotFile : IDisposable
{
    private readonly FileStream _lock;
    private readonly TimeProvider _time;
    private readonly Lock _idLock = new();
    private readonly SnapshotFlushes _flushes;

    // The ids of the existing file and of the file being written; 0 if there is no such file.
    private ulong _id;
    private ulong _writingId;
    private long _progress;

    private SnapshotFile(string path, FileStream held, TimeProvider time)
    {
        Path = path;
        _lock = held;
        _time = time;
        _flushes = new SnapshotFlushes(path + ".flushed");
    }

    /// <summary>Gets the absolute path of the file. If a symbolic link was given, this is its target.</summary>
    public string Path { get; }

    /// <summary>
    /// Gets a number that increases while a snapshot is written. A change of the number shows that the write makes progress. The number itself has no meaning.
    /// </summary>
    public long Progress => Volatile.Read(ref _progress);

    private string Folder => System.IO.Path.GetDirectoryName(Path)!;

    private string WritingPath => Path + ".writing";

    /// <summary>Locks a snapshot file for this process and checks that its folder is writable. The file itself need not exist.</summary>
    /// <param name="path">The path of the file.</param>
    /// <param name="time">
    /// The clock. A file that cannot be loaded is renamed, and its new name contains the current time. The default is the system clock.
    /// </param>
    /// <exception cref="IOException">The folder is missing or not writable, the path is a folder, or another process uses the file.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to the folder is denied.</exception>
    public static SnapshotFile Open(string path, TimeProvider? time = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        string whole = System.IO.Path.GetFullPath(path);
        if (new FileInfo(whole).LinkTarget is not null)
        {
            whole = File.ResolveLinkTarget(whole, returnFinalTarget: true)!.FullName;
        }

        if (Directory.Exists(whole))
        {
            throw new IOException($"'{whole}' is a folder, not a file.");
        }

        FileStream held = SnapshotFolder.Create(whole + ".lock", FileMode.OpenOrCreate);
        try
        {
            SnapshotFile file = new(whole, held, time ?? TimeProvider.System);

            // Delete a file that remained when a process was killed during a write.
            File.Delete(file.WritingPath);
            return file;
        }
        catch
        {
            held.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Loads the file into a store. Nothing is loaded from an invalid file. An invalid file is renamed, unless it is not a snapshot of Larder. Runs on the
    /// calling thread.
    /// </summary>
    /// <returns>A summary of the loaded data; null if the file does not exist.</returns>
    /// <exception cref="SnapshotException">The file was not loaded.</exception>
    /// <exception cref="IOException">The file could neither be read nor renamed.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to the file is denied.</exception>
    /// <exception cref="OperationCanceledException">The load was cancelled. The store may contain a part of the data. The file is unchanged.</exception>
    public SnapshotLoaded? Load(CacheStore store, CancellationToken cancelled = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        try
        {
            using FileStream stream = new(Path, new FileStreamOptions { BufferSize = 0, Options = FileOptions.SequentialScan });
            SnapshotContents contents = SnapshotReader.Read(stream, sink: null, cancelled);
            lock (_idLock)
            {
                _id = contents.Header.Id;
                contents.Leave(_flushes.Of(_id));
            }

            return SnapshotLoader.Load(store, stream, contents, cancelled);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (SnapshotException error) when (error.Fault != SnapshotFault.Foreign)
        {
            throw new SnapshotException(error.Fault, error.Message) { AsidePath = KeepAside() };
        }
        catch (Exception error) when (error is ArgumentException or ArithmeticException or IndexOutOfRangeException or InvalidOperationException)
        {
            // The file contains a value that passed all checks but is still invalid. A damaged file must never prevent a server from starting.
            throw new SnapshotException(SnapshotFault.Damaged, $"the file cannot be loaded ({error.Message})", error) { AsidePath = KeepAside() };
        }
        catch (IOException error)
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"the file cannot be read ({error.Message})", error) { AsidePath = KeepAside() };
        }
    }

    /// <summary>Writes the contents of a store while other threads use it. Runs on the calling thread.</summary>
    /// <exception cref="IOException">The file could not be written, for example because the disk is full. The previous snapshot is kept.</exception>
    /// <exception cref="UnauthorizedAccessException">Write access is denied. The previous snapshot is kept.</exception>
    /// <exception cref="OperationCanceledException">The write was cancelled. The previous snapshot is kept.</exception>
    public SnapshotWritten Write(CacheStore store, CancellationToken cancelled = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        SnapshotHeader header = SnapshotHeader.New(store.WallNowMs);
        lock (_idLock)
        {
            _writingId = header.Id;
        }

        try
        {
            SnapshotWritten written;
            using (FileStream file = SnapshotFolder.Create(WritingPath, FileMode.Create))
            {
                using SnapshotStream stream = new(file, bytes => Interlocked.Add(ref _progress, bytes));
                written = SnapshotWriter.Write(store, stream, header, cancelled);
                stream.Flush();
            }

            lock (_idLock)
            {
                File.Move(WritingPath, Path, overwrite: true);
                SnapshotFolder.Synchronise(Folder);
                (_id, _writingId) = (header.Id, 0);
                _flushes.Keep(_id);
            }

            Interlocked.Increment(ref _progress);
            return written;
        }
        catch
        {
            lock (_idLock)
            {
                _writingId = 0;
            }

            TryDelete(WritingPath);
            throw;
        }
    }

    /// <summary>
    /// Records that a cache was flushed or deleted, so that its items are not restored from a snapshot that was written before or is being written. Call it
    /// after the flush and before responding to the client. Thread-safe, and can be called during <see cref="Write"/>. If the record cannot be written, the
    /// snapshot is deleted, because otherwise it would restore flushed items.
    /// </summary>
    /// <exception cref="IOException">The flush could not be recorded. The snapshot was deleted, unless the deletion also failed.</exception>
    /// <exception cref="UnauthorizedAccessException">The same cases as for <see cref="IOException"/>.</exception>
    public void NoteFlush(string cache, bool isDeleted)
    {
        lock (_idLock)
        {
            try
            {
                foreach (ulong id in (ReadOnlySpan<ulong>)[_id, _writingId])
                {
                    if (id != 0)
                    {
                        _flushes.Add(id, cache, isDeleted);
                    }
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                _id = 0;
                File.Delete(Path);
                SnapshotFolder.Synchronise(Folder);
                throw;
            }
        }
    }

    /// <summary>Releases the lock on the file.</summary>
    public void Dispose() => _lock.Dispose();

    // Renames the file, so that the next write does not overwrite it and the next start does not try to load it again.
    private string KeepAside()
    {
        string name = $"{Path}.aside-{_time.GetUtcNow():yyyyMMddTHHmmss}";
        string free = name;
        for (int more = 2; File.Exists(free); more++)
        {
            free = $"{name}-{more}";
        }

        File.Move(Path, free);
        SnapshotFolder.Synchronise(Folder);
        return free;
    }

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The file is deleted by the next call of Open.
        }
    }
}

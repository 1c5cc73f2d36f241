namespace Larder.Store.Snapshots;

/// <summary>
/// The file that a store is written to and loaded from. It is written beside itself, told to the disk and then renamed, so that at any moment the file is the
/// last that was finished. While this is open no other process has the same file. One call at a time.
/// </summary>
/// <remarks>
/// Beside the file are <c>FILE.lock</c>, which stays; while it is written <c>FILE.writing</c>; and once a cache was flushed <c>FILE.flushed</c>, until the next
/// is written.
/// </remarks>
public sealed class SnapshotFile : IDisposable
{
    private readonly FileStream _lock;
    private readonly TimeProvider _time;
    private readonly Lock _idLock = new();
    private readonly SnapshotFlushes _flushes;

    // The numbers of the file that is there and of the one that is being written; 0 where there is none.
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

    /// <summary>The file, with its whole path; where a link was given, what it leads to.</summary>
    public string Path { get; }

    /// <summary>Grows while a snapshot is written; by how much says nothing.</summary>
    public long Progress => Volatile.Read(ref _progress);

    private string Folder => System.IO.Path.GetDirectoryName(Path)!;

    private string WritingPath => Path + ".writing";

    /// <summary>Takes a file for this process, and finds out whether its folder can be written to. The file itself need not exist.</summary>
    /// <param name="path">The file.</param>
    /// <param name="time">The clock that what is kept aside is named after; default: the system's.</param>
    /// <exception cref="IOException">The folder is missing or cannot be written to, the path is a folder's, or another process has the file.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be written to.</exception>
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
            throw new IOException($"'{whole}' is a folder.");
        }

        FileStream held = SnapshotFolder.Create(whole + ".lock", FileMode.OpenOrCreate);
        try
        {
            SnapshotFile file = new(whole, held, time ?? TimeProvider.System);

            // Of a process that was killed while it wrote.
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
    /// Loads the file into a store, all or nothing; a file that cannot be is kept aside under another name, unless it is somebody else's. On this thread.
    /// </summary>
    /// <returns>What was loaded; null where there is no file.</returns>
    /// <exception cref="SnapshotException">It was not loaded.</exception>
    /// <exception cref="IOException">It could neither be read nor be kept aside.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled; the store may have part of it, and the file is as it was.</exception>
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
            // A number in it that no check above has caught: a file, whoever wrote it, never keeps a server from starting.
            throw new SnapshotException(SnapshotFault.Damaged, $"it cannot be loaded ({error.Message})", error) { AsidePath = KeepAside() };
        }
        catch (IOException error)
        {
            throw new SnapshotException(SnapshotFault.Damaged, $"it cannot be read ({error.Message})", error) { AsidePath = KeepAside() };
        }
    }

    /// <summary>Writes what a store holds while work on it goes on. On this thread.</summary>
    /// <exception cref="IOException">It could not be written, as on a full disk: the file is the last that was finished.</exception>
    /// <exception cref="UnauthorizedAccessException">The same, where writing is no longer allowed.</exception>
    /// <exception cref="OperationCanceledException">The same, where it was cancelled.</exception>
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
    /// Notes that a cache was flushed or deleted, so that what it held does not come back from a file that was written before, or is being written. To be
    /// called after the flush, and before it is answered; on any thread, and during <see cref="Write"/>. Where it cannot be noted the file goes: none is better
    /// than one that brings back what was flushed.
    /// </summary>
    /// <exception cref="IOException">It could not be noted; the file is gone, unless that failed too.</exception>
    /// <exception cref="UnauthorizedAccessException">The same.</exception>
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

    /// <summary>Lets other processes have the file.</summary>
    public void Dispose() => _lock.Dispose();

    // The next that is written is not to take its place, and the next start is not to stumble over it again.
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
            // The next opening deletes it.
        }
    }
}

namespace Larder.Store.Snapshots;

/// <summary>
/// The file that a store is written to and loaded from. It is written beside itself, told to the disk and then renamed, so that at any moment the file is the
/// last that was finished. While this is open no other process has the same file. One call at a time.
/// </summary>
/// <remarks>Beside the file are <c>FILE.lock</c>, which stays, and while it is written <c>FILE.writing</c>.</remarks>
public sealed class SnapshotFile : IDisposable
{
    // What callers stored may be secret: for the server's user alone.
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly FileStream _lock;
    private readonly TimeProvider _time;
    private long _progress;

    private SnapshotFile(string path, FileStream held, TimeProvider time)
    {
        Path = path;
        _lock = held;
        _time = time;
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

        FileStream held = Create(whole + ".lock", FileMode.OpenOrCreate);
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
            return SnapshotLoader.Load(store, stream, cancelled);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (SnapshotException error) when (error.Fault != SnapshotFault.Foreign)
        {
            throw new SnapshotException(error.Fault, error.Message) { AsidePath = KeepAside() };
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
        try
        {
            SnapshotWritten written;
            using (FileStream file = Create(WritingPath, FileMode.Create))
            {
                using SnapshotStream stream = new(file, bytes => Interlocked.Add(ref _progress, bytes));
                written = SnapshotWriter.Write(store, stream, cancelled);
                stream.Flush();
            }

            File.Move(WritingPath, Path, overwrite: true);
            SnapshotFolder.Synchronise(Folder);
            Interlocked.Increment(ref _progress);
            return written;
        }
        catch
        {
            TryDelete(WritingPath);
            throw;
        }
    }

    /// <summary>Lets other processes have the file.</summary>
    public void Dispose() => _lock.Dispose();

    private static FileStream Create(string path, FileMode mode)
    {
        FileStreamOptions options = new() { Mode = mode, Access = FileAccess.Write, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = OwnerOnly;
        }

        return new FileStream(path, options);
    }

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

using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed unsafe partial class CacheEngine
{
    /// <summary>Opens the cache, creating folder and files as needed, repairing what a dead writer left.</summary>
    internal static CacheEngine Open(FileStoreSettings settings)
    {
        CheckPath(settings.Path);
        bool polled = MustPoll(settings);
        Coordinator coordinator = polled ? new LockFile(settings.Path + ".lock") : Sidecar.Open(settings.Path + ".idx");
        CacheEngine engine = new(settings, coordinator);
        engine._clock.AddUser();
        try
        {
            engine.Start();
        }
        catch
        {
            engine._log?.Dispose();
            coordinator.Dispose();
            engine._clock.RemoveUser();
            throw;
        }
        Instruments.Add(engine);
        return engine;
    }

    private void Start()
    {
        lock (_gate)
        {
            if (TryLockToOpen())
            {
                try
                {
                    Establish(replaced: false);
                    DeleteOldTemporaries();
                }
                finally
                {
                    _coordinator.Unlock();
                }
            }
            else
            {
                StartWithoutLock();
            }
            _committed = _coordinator.CommittedWord;
        }
        Log.Opened(_logger, Path, _set.Count, IsPolled ? "polled" : "local");
        StartMaintenance();
    }

    private bool TryLockToOpen()
    {
        try
        {
            WaitForLock();
            return true;
        }
        catch (DistributedFileStoreCacheException) when (!IsPolled && _coordinator.IsOfThisBoot)
        {
            return false;
        }
    }

    /// <summary>A writer holds the lock and does not go on. What it had committed is readable all the same.</summary>
    private void StartWithoutLock()
    {
        lock (_monitor)
        {
            if (!CatchUp())
            {
                throw Busy(_coordinator.Holder);
            }
        }
    }

    /// <summary>
    /// Makes log, coordinator and table agree; gate and write lock held. <paramref name="replaced"/> says that the file at the
    /// path is another than the one that was open.
    /// </summary>
    private void Establish(bool replaced)
    {
        bool fresh = _coordinator.InitialiseIfOutdated();
        long committed = _coordinator.Committed;
        _coordinator.Dirty = true;
        bool created = false;
        SafeFileHandle? file = OpenFile.Try(Path);
        if (file is null)
        {
            CreateLog(Word.Generation(committed) + 1, import: fresh);
            file = OpenFile.Try(Path) ?? throw new IOException($"The cache file {Path} vanished as it was created.");
            created = true;
        }
        LogHeader header = RequireHeader(file);
        lock (_monitor)
        {
            bool foreign = replaced || header.Id != _coordinator.LogId || !Continues(file, header, committed);
            if (header.Polled != IsPolled || (!fresh && !created && foreign))
            {
                TakeOver(file, header, Math.Max(Word.Generation(committed), header.Generation) + 1);
            }
            else
            {
                LoadToEnd(file, header);
            }
            _coordinator.LogId = header.Id;
            Volatile.Write(ref _coordinator.Committed, _position);
            Publish(_position);
        }
        _coordinator.Dirty = false;
    }

    /// <summary>Whether the file goes on where the committed word is, so that processes reading the old file may go on too.</summary>
    private static bool Continues(SafeFileHandle file, in LogHeader header, long committed) =>
        TryPlace(header, committed, out long length) && RandomAccess.GetLength(file) >= length;

    /// <summary>Reads all of the file, keeps all whole lines and cuts off a torn one.</summary>
    private void LoadToEnd(SafeFileHandle file, in LogHeader header)
    {
        long end = Load(file, header, long.MaxValue, TailPolicy.DamagedLinesThenTorn);
        CutTail(file, end);
        Span<byte> last = stackalloc byte[1];
        if (end > LogHeader.Bytes && RandomAccess.Read(file, last, end - 1) == 1 && last[0] != '\n')
        {
            RandomAccess.Write(file, "\n"u8, end - 1);
        }
    }

    /// <summary>
    /// Writes what the file holds to a new generation that continues none, so that every process reads it from its start.
    /// </summary>
    private void TakeOver(SafeFileHandle file, in LogHeader header, long generation)
    {
        if (header.Polled && !IsPolled)
        {
            throw new DistributedFileStoreCacheException(
                $"The cache file {Path} is shared by polling (its first line says so) and cannot be opened with Coherence = Local. "
                + "Use Polled or Automatic, or move the file away once no process uses it.");
        }
        if (IsPolled && File.Exists(Path + ".idx"))
        {
            throw new DistributedFileStoreCacheException(
                $"The cache file {Path} is in use, or was last used, through the shared memory of {Path}.idx, and cannot be polled at the same time. "
                + $"End the processes that use it, delete {Path}.idx, and open it again.");
        }
        LoadToEnd(file, header);
        using FileStream temporary = OpenFile.CreateNew(TemporaryPath(generation));
        try
        {
            temporary.Position = LogHeader.Bytes;
            WriteEntries(temporary, _set.Slots);
            FinishTemporary(temporary, header with { Polled = IsPolled, Generation = generation, Previous = 0 });
            RenameOver(temporary.Name);
        }
        finally
        {
            File.Delete(temporary.Name);
        }
        SafeFileHandle replaced = OpenFile.Try(Path) ?? throw new IOException($"The cache file {Path} vanished as it was rewritten.");
        LogHeader written = RequireHeader(replaced);
        Adopt(replaced, written, written.Snap);
        Log.TookOver(_logger, Path, generation);
    }

    private void CreateLog(long generation, bool import)
    {
        using FileStream temporary = OpenFile.CreateNew(TemporaryPath(generation));
        try
        {
            temporary.Position = LogHeader.Bytes;
            if (import && _settings.ImportPath is { } old && File.Exists(old))
            {
                int imported = OldJsonFile.CopyTo(temporary, old, _clock);
                Log.Imported(_logger, old, imported, Path);
            }
            FinishTemporary(temporary, new LogHeader((ulong)Random.Shared.NextInt64(1, long.MaxValue), IsPolled, generation, 0, 0));
            RenameOver(temporary.Name);
        }
        finally
        {
            File.Delete(temporary.Name);
        }
    }

    private LogHeader RequireHeader(SafeFileHandle file)
    {
        HeaderVerdict verdict = ReadHeader(file, out LogHeader header);
        if (verdict == HeaderVerdict.Good)
        {
            return header;
        }
        file.Dispose();
        string what = verdict switch
        {
            HeaderVerdict.Empty => "is empty. If nothing else is meant to be there, delete it",
            HeaderVerdict.Foreign => "was not written by this library. Move it away, or choose another cache file name",
            HeaderVerdict.Newer => "was written by a newer version of this library. Update the package, or choose another cache file name",
            _ => "has a damaged first line. Look at it with 'larder file check'; 'larder file export' saves what is readable. Then move it away",
        };
        throw new DistributedFileStoreCacheException($"The cache file {Path} {what}. It was left as it is.");
    }

    private static void CheckPath(string path)
    {
        string folder = System.IO.Path.GetDirectoryName(path)!;
        try
        {
            Directory.CreateDirectory(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new DistributedFileStoreCacheException($"The folder {folder} of the cache file is missing and cannot be created: {e.Message}", e);
        }
        foreach (string file in (ReadOnlySpan<string>)[path, path + ".idx"])
        {
            if (new FileInfo(file).LinkTarget is { } target)
            {
                throw new DistributedFileStoreCacheException(
                    $"The cache file {file} is a symbolic link to {target}, which compaction would replace. Give the path of the file itself.");
            }
            if (Directory.Exists(file))
            {
                throw new DistributedFileStoreCacheException($"The cache file {file} is a folder. Choose another cache file name.");
            }
        }
    }

    private static bool MustPoll(FileStoreSettings settings)
    {
        if (settings.Coherence == FileStoreCoherence.Polled)
        {
            return true;
        }
        string folder = System.IO.Path.GetDirectoryName(settings.Path)!;
        bool coherent = settings.Probe(folder);
        if (settings.Coherence == FileStoreCoherence.Local && !coherent)
        {
            throw new DistributedFileStoreCacheException(
                $"The file system of {folder} is not known to share memory and locks between processes, which Coherence = Local needs. "
                + "Use Automatic or Polled, or put the file on a local disk.");
        }
        return !coherent || (settings.Coherence == FileStoreCoherence.Automatic && IsMarkedPolled(settings.Path));
    }

    private static bool IsMarkedPolled(string path)
    {
        using SafeFileHandle? file = OpenFile.Try(path);
        return file is not null && ReadHeader(file, out LogHeader header) == HeaderVerdict.Good && header.Polled;
    }
}
